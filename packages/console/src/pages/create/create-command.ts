import type { ByocDeploymentInput, Cloud, ManagedDeploymentInput } from '@sluice/client';
import { clouds } from '@sluice/console-core/clouds/index.ts';

type Input = ManagedDeploymentInput & Partial<Pick<ByocDeploymentInput, Cloud>>;

const option = (flag: string, value: string | number | null | undefined): string[] =>
  value === undefined || value === null || value === '' ? [] : [flag, String(value)];

/** The words of `sluice` that create the same. */
export function createCommand(body: Input, environment: string, isByoc: boolean): string[] {
  const { account } = clouds[body.cloud].access;
  const access = Object.entries(body[body.cloud] ?? {}).flatMap(([key, value]) =>
    option(`--${(key === account ? 'account_id' : key).replaceAll('_', '-')}`, value),
  );
  return [
    ...[isByoc ? 'byoc' : 'deployments', 'create', `${environment}/${body.name || 'NAME'}`],
    ...option('--cloud', body.cloud),
    ...option('--region', body.region),
    ...option('--tier', body.tier),
    ...(body.cluster === 'cluster' ? ['--cluster', 'cluster'] : []),
    ...option('--storage-type', body.storage?.type),
    ...option('--storage-size', body.storage?.size),
    ...option('--availability', body.availability_mode),
    ...(body.encrypted ? ['--encrypted'] : []),
    ...(body.dedicated ? ['--dedicated'] : []),
    ...(body.public_ip_enabled === false ? ['--no-public-ip'] : []),
    ...(body.protected ? ['--protected'] : []),
    ...option('--spend-limit', body.spend_limit),
    ...(body.retention?.telemetry_days ? ['--retention', `${body.retention.telemetry_days}d`] : []),
    ...access,
  ];
}

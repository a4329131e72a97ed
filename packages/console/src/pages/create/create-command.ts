import type { ByocDeploymentInput, ManagedDeploymentInput } from '@sluice/client';

type Input = ManagedDeploymentInput & Pick<ByocDeploymentInput, 'cloud_a' | 'cloud_b'>;

const option = (flag: string, value: string | number | null | undefined): string[] =>
  value === undefined || value === null || value === '' ? [] : [flag, String(value)];

/** The words of `sluice` that create the same. */
export function createCommand(body: Input, environment: string, isByoc: boolean): string[] {
  const { cloud_a, cloud_b } = body;
  const access = Object.entries(cloud_a ?? cloud_b ?? {}).flatMap(([key, value]) =>
    option(`--${(key === 'project_id' ? 'account_id' : key).replaceAll('_', '-')}`, value),
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

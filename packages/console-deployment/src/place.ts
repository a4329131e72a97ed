import type { DeploymentDetail, Structure } from '@sluice/client';
import { plural } from '@sluice/ui/lib/quantity.ts';

/** The names of a division and an environment; empty until they are known. */
export function placeNames(structure: Structure | undefined, divisionId: number, environmentId: number) {
  const division = structure?.divisions.find(({ id }) => id === divisionId);
  const environment = division?.environments.find(({ id }) => id === environmentId);
  return { division: division?.name ?? '', environment: environment?.name ?? '' };
}

/** A deployment as commands take it, such as `payments/dev/orders`; its id where a name is not known. */
export const placeWords = (names: readonly string[], deploymentId: number): string =>
  names.includes('') ? String(deploymentId) : names.map((name) => name.replaceAll('/', '%2F')).join('/');

/** What a deployment is, in one line. */
export function aboutDeployment({
  cloud,
  region,
  tier,
  variant,
  cluster,
  nodes_count: count,
}: Pick<DeploymentDetail, 'cloud' | 'region' | 'tier' | 'variant' | 'cluster' | 'nodes_count'>): string {
  const kind = variant === 'byoc' ? 'in your own account' : 'managed';
  return [
    `${cloud} ${region}`,
    tier,
    kind,
    cluster === 'cluster' ? plural(count, 'node') : 'standalone',
  ].join(' · ');
}

/** The path of a deployment in the Main API. */
export const deploymentPath = ({
  tenant_id: tenant,
  division_id: division,
  environment_id: environment,
  deployment_id: deployment,
}: {
  tenant_id: number;
  division_id: number;
  environment_id: number;
  deployment_id: number;
}): string =>
  `/tenants/${tenant}/divisions/${division}/environments/${environment}/deployments/${deployment}`;

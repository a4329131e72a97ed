import type { Deployment } from '@sluice/region-store/deployments.store';

/** The ids of a deployment and of what it is in. */
export const placeIn = ({ spec }: Deployment) => ({
  tenant_id: spec.tenant_id,
  division_id: spec.division.id,
  environment_id: spec.environment.id,
  deployment_id: spec.id,
});

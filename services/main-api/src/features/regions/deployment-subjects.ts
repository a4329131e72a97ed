import type { PlacedDeployment } from '../../stores/deployments.store.ts';

export const aboutOf = ({ id, uid, name, ...deployment }: PlacedDeployment) => ({
  tenant_id: deployment.tenant_id,
  division: { id: deployment.division_id, name: deployment.division_name },
  environment: { id: deployment.environment_id, name: deployment.environment_name },
  deployment: { id, name, uid },
});

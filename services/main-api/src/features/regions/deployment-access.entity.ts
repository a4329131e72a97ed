import type { Access, DeploymentId } from '@sluice/contracts';
import { bigint, jsonb, table } from '../../stores/columns.ts';

/** Who may reach a deployment, as its region has reported it last. */
export const DeploymentAccess = table('deployment_access', {
  deployment_id: bigint<DeploymentId>({ primary: true }),
  revision: bigint(),
  access: jsonb<Access>(),
});

import type { Access, DeploymentId } from '@sluice/contracts';
import { EntitySchema } from 'typeorm';

/** Who may reach a deployment, as its region has reported it last. */
export interface DeploymentAccessRow {
  deployment_id: DeploymentId;
  revision: number;
  access: Access;
}

export const DeploymentAccess = new EntitySchema<DeploymentAccessRow>({
  name: 'deployment_access',
  tableName: 'deployment_access',
  columns: {
    deployment_id: { type: 'bigint', primary: true },
    revision: { type: 'bigint' },
    access: { type: 'jsonb' },
  },
});

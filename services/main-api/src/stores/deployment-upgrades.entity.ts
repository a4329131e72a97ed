import type { DeploymentId, Tier, UpgradeStatus } from '@sluice/contracts';
import { EntitySchema } from 'typeorm';
import type { DeploymentRow } from './deployments.entity.ts';

/** An upgrade of a deployment, in its history. */
export interface DeploymentUpgradeRow {
  id: string;
  deployment_id: DeploymentId;
  from_tier: Tier;
  to_tier: Tier;
  storage_type: DeploymentRow['storage_type'];
  /** gigabytes; null for local storage */
  from_storage_size: number | null;
  to_storage_size: number | null;
  nodes_before: number;
  nodes_after: number;
  status: UpgradeStatus;
  /** why it was rolled back or failed */
  reason: string | null;
  requested_at: Date;
  upgraded_at: Date | null;
  /** when main-api ended it for want of a report; what its region reports later counts instead */
  given_up_at: Date | null;
  /** of the request that asked for it */
  correlation_id: string | null;
}

export const DeploymentUpgrade = new EntitySchema<DeploymentUpgradeRow>({
  name: 'deployment_upgrade',
  tableName: 'deployment_upgrades',
  columns: {
    id: { type: 'uuid', primary: true, default: () => 'gen_random_uuid()' },
    deployment_id: { type: 'bigint' },
    from_tier: { type: 'text' },
    to_tier: { type: 'text' },
    storage_type: { type: 'text' },
    from_storage_size: { type: 'integer', nullable: true },
    to_storage_size: { type: 'integer', nullable: true },
    nodes_before: { type: 'integer' },
    nodes_after: { type: 'integer' },
    status: { type: 'text', default: 'pending' },
    reason: { type: 'text', nullable: true },
    requested_at: { type: 'timestamptz', createDate: true },
    upgraded_at: { type: 'timestamptz', nullable: true },
    given_up_at: { type: 'timestamptz', nullable: true },
    correlation_id: { type: 'uuid', nullable: true },
  },
});

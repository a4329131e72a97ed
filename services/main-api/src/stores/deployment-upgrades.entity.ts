import type { DeploymentId, Tier, UpgradeStatus } from '@sluice/contracts';
import type { DeploymentRow } from './deployments.entity.ts';
import { bigint, integer, nullable, table, text, time, uuid, type RowOf } from './columns.ts';

export const DeploymentUpgrade = table('deployment_upgrades', {
  id: uuid({ primary: true, default: () => 'gen_random_uuid()' }),
  deployment_id: bigint<DeploymentId>(),
  from_tier: text<Tier>(),
  to_tier: text<Tier>(),
  storage_type: text<DeploymentRow['storage_type']>(),
  /** gigabytes; null for local storage */
  from_storage_size: nullable(integer()),
  to_storage_size: nullable(integer()),
  nodes_before: integer(),
  nodes_after: integer(),
  status: text<UpgradeStatus>({ default: 'pending' }),
  /** why it was rolled back or failed */
  reason: nullable(text()),
  requested_at: time({ createDate: true }),
  upgraded_at: nullable(time()),
  /** when main-api ended it for want of a report; what its region reports later counts instead */
  given_up_at: nullable(time()),
  /** of the request that asked for it */
  correlation_id: nullable(uuid()),
});
export type DeploymentUpgradeRow = RowOf<typeof DeploymentUpgrade>;

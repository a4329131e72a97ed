import { clouds, type Cloud, type TenantId } from '@sluice/contracts';
import type { Database } from '../../../database.ts';

/** In whose cloud accounts deployments are: beside the store of deployments, in the same table. */

/** Notes of a tenant's deployments in an account of a provider whether the tenant has deleted that. */
export const markAccount = (
  db: Database,
  { tenant_id, cloud, account_id }: { tenant_id: TenantId; cloud: Cloud; account_id: string },
  deleted: boolean,
) =>
  db.query(
    `UPDATE deployments SET cloud_account_deleted = $4
     WHERE tenant_id = $1 AND variant = 'byoc' AND cloud = $2 AND cloud_account_deleted <> $4
       AND cloud_access -> $2::text ->> $5::text = $3`,
    [tenant_id, cloud, account_id, deleted, clouds[cloud].account.id],
  );

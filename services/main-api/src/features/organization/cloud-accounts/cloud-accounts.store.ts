import { clouds, type CloudAccountId, type TenantId, type Cloud } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import type { Database } from '@sluice/main-store/database';
import { existing, insertRow, pageOfRows, uniquely } from '@sluice/main-store/rows';
import type { components } from '../../../generated/api.ts';
import { bigint, id, nullable, table, text, time, type RowOf } from '@sluice/main-store/columns';
import type { TenantPath } from '@sluice/main-store/tenants.store';

/** The ids in a path that names a cloud account: with a wrong tenant it finds nothing. */
export interface CloudAccountPath extends TenantPath {
  cloud_account_id: CloudAccountId;
}

export const CloudAccount = table('cloud_accounts', {
  id: id<CloudAccountId>(),
  tenant_id: bigint<TenantId>(),
  cloud: text<Cloud>(),
  name: text(),
  /** as the provider names it */
  account_id: text(),
  region: nullable(text()),
  status: text<components['schemas']['CloudAccountStatus']>({ default: 'active' }),
  validated_at: nullable(time()),
  /** JSON, encrypted */
  sealed_settings: nullable(text()),
  remarks: nullable(text()),
  created_at: time({ createDate: true }),
  updated_at: time({ updateDate: true }),
});
export type CloudAccountRow = RowOf<typeof CloudAccount>;

/** `name` and `region` match parts, without case. */
interface CloudAccountFilter {
  name?: string;
  cloud?: CloudAccountRow['cloud'];
  region?: string;
}

export const getCloudAccount = (db: Database, { tenant_id, cloud_account_id: id }: CloudAccountPath) =>
  existing(db.manager.findOneBy(CloudAccount, { id, tenant_id }));

/** The plan keeps a tenant's accounts to some dozens: the index of their names leads to all of them. */
export const listCloudAccounts = (
  db: Database,
  tenantId: TenantId,
  { name, cloud, region }: CloudAccountFilter,
  page: Page,
) => {
  const source = `cloud_accounts WHERE tenant_id = $1
    AND ($2::text IS NULL OR strpos(lower(name), lower($2)) > 0)
    AND ($3::text IS NULL OR cloud = $3)
    AND ($4::text IS NULL OR strpos(lower(region), lower($4)) > 0)`;
  const values = [tenantId, name ?? null, cloud ?? null, region ?? null];
  return pageOfRows<CloudAccountRow>(db, page, source, values);
};

/** An account of a provider as a tenant has saved it, newest first: under several names, perhaps. */
export const findSavedAccounts = (
  db: Database,
  account: Pick<CloudAccountRow, 'tenant_id' | 'cloud' | 'account_id'>,
) => db.manager.find(CloudAccount, { where: account, order: { id: 'DESC' } });

export const countCloudAccounts = (db: Database, tenantId: TenantId) =>
  db.manager.countBy(CloudAccount, { tenant_id: tenantId });

export const insertCloudAccount = (
  db: Database,
  account: Pick<CloudAccountRow, 'tenant_id' | 'cloud' | 'name' | 'account_id'> & Partial<CloudAccountRow>,
) => insertRow(db, CloudAccount, account, 'cloud_accounts_name_key');

export const updateCloudAccount = (db: Database, id: CloudAccountId, changes: Partial<CloudAccountRow>) =>
  uniquely('cloud_accounts_name_key', db.manager.update(CloudAccount, { id }, changes));

export const deleteCloudAccount = (db: Database, id: CloudAccountId) =>
  db.manager.delete(CloudAccount, { id });

/** Notes of a tenant's deployments in an account of a provider whether the tenant has deleted that. */
export const markAccount = (
  db: Database,
  { tenant_id, cloud, account_id }: Pick<CloudAccountRow, 'tenant_id' | 'cloud' | 'account_id'>,
  deleted: boolean,
) =>
  db.query(
    `UPDATE deployments SET cloud_account_deleted = $4
     WHERE tenant_id = $1 AND variant = 'byoc' AND cloud = $2 AND cloud_account_deleted <> $4
       AND cloud_access -> $2::text ->> $5::text = $3`,
    [tenant_id, cloud, account_id, deleted, clouds[cloud].account.id],
  );

import type { CloudAccountId, TenantId } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { problem } from '@sluice/service';
import type { Database } from '../database.ts';
import { CloudAccount, type CloudAccountPath, type CloudAccountRow } from './cloud-accounts.entity.ts';
import { newRow, pageOfRows, uniquely } from './rows.ts';

/** Which cloud accounts are meant; `name` and `region` are part of theirs, whatever its case. */
interface CloudAccountFilter {
  name?: string;
  cloud?: CloudAccountRow['cloud'];
  region?: string;
}

/** @throws Problem `not_found` */
export async function getCloudAccount(
  db: Database,
  { tenant_id, cloud_account_id }: CloudAccountPath,
): Promise<CloudAccountRow> {
  const account = await db.manager.findOneBy(CloudAccount, { id: cloud_account_id, tenant_id });
  if (!account) throw problem('not_found');
  return account;
}

/** The plan keeps a tenant's accounts to some dozens: the index of their names leads to all of them. */
export async function listCloudAccounts(
  db: Database,
  tenantId: TenantId,
  { name, cloud, region }: CloudAccountFilter,
  page: Page,
): Promise<[CloudAccountRow[], number]> {
  const source = `cloud_accounts WHERE tenant_id = $1
    AND ($2::text IS NULL OR strpos(lower(name), lower($2)) > 0)
    AND ($3::text IS NULL OR cloud = $3)
    AND ($4::text IS NULL OR strpos(lower(region), lower($4)) > 0)`;
  const values = [tenantId, name ?? null, cloud ?? null, region ?? null];
  return await pageOfRows<CloudAccountRow>(db, '*', source, values, page);
}

/** An account of a provider as a tenant has saved it, newest first: under several names, perhaps. */
export async function findSavedAccounts(
  db: Database,
  account: Pick<CloudAccountRow, 'tenant_id' | 'cloud' | 'account_id'>,
): Promise<CloudAccountRow[]> {
  return await db.manager.find(CloudAccount, { where: account, order: { id: 'DESC' } });
}

export async function countCloudAccounts(db: Database, tenantId: TenantId): Promise<number> {
  return await db.manager.countBy(CloudAccount, { tenant_id: tenantId });
}

/** @throws Problem `name_taken` */
export async function insertCloudAccount(
  db: Database,
  account: Pick<CloudAccountRow, 'tenant_id' | 'cloud' | 'name' | 'account_id'> & Partial<CloudAccountRow>,
): Promise<CloudAccountRow> {
  const row = newRow(db, CloudAccount, account);
  await uniquely('cloud_accounts_name_key', db.manager.insert(CloudAccount, row));
  return row;
}

/** @throws Problem `name_taken` */
export async function updateCloudAccount(
  db: Database,
  id: CloudAccountId,
  changes: Partial<CloudAccountRow>,
): Promise<void> {
  await uniquely('cloud_accounts_name_key', db.manager.update(CloudAccount, { id }, changes));
}

export async function deleteCloudAccount(db: Database, id: CloudAccountId): Promise<void> {
  await db.manager.delete(CloudAccount, { id });
}

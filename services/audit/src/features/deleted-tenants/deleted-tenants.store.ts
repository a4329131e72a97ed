import type { TenantId } from '@sluice/contracts';
import { sql } from 'kysely';
import type { Database } from '../../database/tables.ts';

export async function isDeleted(db: Database, tenantId: TenantId): Promise<boolean> {
  const row = await db
    .selectFrom('deleted_tenants')
    .select('tenant_id')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Those of the tenants whose logs are closed. */
export async function findDeleted(db: Database, tenantIds: readonly TenantId[]): Promise<TenantId[]> {
  const rows = await db
    .selectFrom('deleted_tenants')
    .select('tenant_id')
    .where('tenant_id', 'in', tenantIds)
    .execute();
  return rows.map(({ tenant_id }) => tenant_id);
}

/** Closes the log of a tenant whose deletion stands there. The first deletion counts, and a week is the least. */
export async function insertDeletedTenant(db: Database, tenantId: TenantId, keepDays: number): Promise<void> {
  await sql`SELECT close_log(${tenantId}::bigint, ${keepDays}::integer)`.execute(db);
}

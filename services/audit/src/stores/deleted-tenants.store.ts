import type { TenantId } from '@sluice/contracts';
import type { Database } from '../database/tables.ts';

export async function isDeleted(db: Database, tenantId: TenantId): Promise<boolean> {
  const row = await db
    .selectFrom('deleted_tenants')
    .select('tenant_id')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return row !== undefined;
}

/** The first word counts: a tenant is deleted once. */
export async function insertDeletedTenant(
  db: Database,
  tenantId: TenantId,
  closedAt: Date,
  keepUntil: Date,
): Promise<void> {
  await db
    .insertInto('deleted_tenants')
    .values({ tenant_id: tenantId, deleted_at: closedAt, keep_until: keepUntil })
    .onConflict((conflict) => conflict.column('tenant_id').doNothing())
    .execute();
}

import type { TenantId } from '@sluice/contracts';
import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';

/** Holds off the tenant's deletion until this transaction has ended; others can hold it off at the same time. */
export async function lockTenantShared(db: Database, tenantId: TenantId): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock_shared(hashtextextended('tenant', ${tenantId}))`.execute(db);
}

/** Waits for all who have the tenant locked and keeps others from it until this transaction has ended. */
export async function lockTenant(db: Database, tenantId: TenantId): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('tenant', ${tenantId}))`.execute(db);
}

export async function isDeleted(db: Database, tenantId: TenantId): Promise<boolean> {
  const row = await db
    .selectFrom('deleted_tenants')
    .select('tenant_id')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertDeletedTenant(db: Database, tenantId: TenantId): Promise<void> {
  await db
    .insertInto('deleted_tenants')
    .values({ tenant_id: tenantId })
    .onConflict((conflict) => conflict.column('tenant_id').doNothing())
    .execute();
}

/** Events stay in their stream for 30 days: none of a tenant that was deleted before that can come any more. */
export async function pruneDeletedTenants(db: Database): Promise<void> {
  await db
    .deleteFrom('deleted_tenants')
    .where('deleted_at', '<', sql<Date>`now() - interval '31 days'`)
    .execute();
}

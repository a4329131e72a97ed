import { sql, type Generated } from 'kysely';
import type { Database } from '../../database.ts';

export interface DeletedTenantsTable {
  tenant_id: number;
  deleted_at: Generated<Date>;
}

/** Holds off the tenant's deletion until this transaction has ended; entries of it can be added at once. */
export async function holdTenant(database: Database, tenantId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock_shared(hashtextextended('tenant', ${tenantId}))`.execute(database);
}

/** Waits for all who hold the tenant and keeps others from it until this transaction has ended. */
export async function holdTenantAlone(database: Database, tenantId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('tenant', ${tenantId}))`.execute(database);
}

export async function isDeleted(database: Database, tenantId: number): Promise<boolean> {
  const row = await database
    .selectFrom('deleted_tenants')
    .select('tenant_id')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function noteDeletion(database: Database, tenantId: number): Promise<void> {
  await database
    .insertInto('deleted_tenants')
    .values({ tenant_id: tenantId })
    .onConflict((conflict) => conflict.column('tenant_id').doNothing())
    .execute();
}

export async function deleteEntries(database: Database, tenantId: number): Promise<void> {
  await database.deleteFrom('entries').where('tenant_id', '=', tenantId).execute();
}

/** Events stay in their stream for 30 days: none of a tenant that was deleted before that can come any more. */
export async function forgetLongDeleted(database: Database): Promise<void> {
  await database
    .deleteFrom('deleted_tenants')
    .where('deleted_at', '<', sql<Date>`now() - interval '31 days'`)
    .execute();
}

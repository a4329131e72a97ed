import type { TenantId } from '@sluice/contracts';
import type { Selectable } from 'kysely';
import type { Database, Tables } from '../../database/tables.ts';

export type TenantFeatures = Selectable<Tables['tenant_features']>;

export async function findTenantFeatures(
  db: Database,
  tenantId: TenantId,
): Promise<TenantFeatures | undefined> {
  return await db
    .selectFrom('tenant_features')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
}

/** What was said later stays, whichever comes first. */
export async function upsertTenantFeatures(db: Database, features: TenantFeatures): Promise<void> {
  const { version, audit_retention_days, audit_export_enabled } = features;
  await db
    .insertInto('tenant_features')
    .values(features)
    .onConflict((conflict) =>
      conflict
        .column('tenant_id')
        .doUpdateSet({ version, audit_retention_days, audit_export_enabled })
        .where('tenant_features.version', '<', version),
    )
    .execute();
}

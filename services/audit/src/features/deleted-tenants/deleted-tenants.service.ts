import { eventTypes, type Event, type TenantId } from '@sluice/contracts';
import type { Pruning, Sql } from '@sluice/service-kit';
import type { Database, Transaction } from '../../database/tables.ts';
import { insertDeletedTenant, isDeleted } from '../../stores/deleted-tenants.store.ts';
import { deleteEntriesOver } from '../../stores/former-entries.store.ts';

export type DeletedTenantsService = ReturnType<typeof deletedTenantsService>;

/** where the event does not say */
const longestRetentionDays = 365;

/** Tenants whose deletion the audit log has heard of. Their entries stay for their retention, for the operator alone. */
export function deletedTenantsService({ sql }: { sql: Sql }) {
  return {
    /** Closes the log of a tenant. What is handled later is recorded all the same: nothing that happened goes missing. */
    async record({ db }: Transaction, { tenant_id, data }: Event): Promise<void> {
      const said = eventTypes.tenant_deleted.data.safeParse(data).data;
      const { audit_retention_days = longestRetentionDays } = said ?? {};
      await insertDeletedTenant(db, tenant_id, audit_retention_days);
    },

    isClosed: (db: Database, tenantId: TenantId) => isDeleted(db, tenantId),

    /** Entries whose retention is over, and who is remembered only since there could be some. */
    pruning: [
      { table: 'entries', remove: (rows: number) => deleteEntriesOver(sql, rows) },
      { table: 'deleted_tenants', since: 'keep_until', keep: '400 days' },
    ] satisfies Pruning[],
  };
}

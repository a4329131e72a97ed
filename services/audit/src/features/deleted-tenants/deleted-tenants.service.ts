import { eventTypes, type Event, type TenantId } from '@sluice/contracts';
import type { Pruning } from '@sluice/service-kit';
import type { Database, Transaction } from '../../database/tables.ts';
import { insertDeletedTenant, isDeleted } from '../../stores/deleted-tenants.store.ts';
import { deleteEntriesKeptUntil } from '../../stores/former-entries.store.ts';

export type DeletedTenantsService = ReturnType<typeof deletedTenantsService>;

const day = 24 * 60 * 60 * 1000;
/** where the event does not say */
const longestRetentionDays = 365;
/** whatever the event says: there is time to see what has happened */
const shortestRetentionDays = 7;

/** Tenants whose deletion the audit log has heard of. Their entries stay for their retention, for the operator alone. */
export function deletedTenantsService({ database, now }: { database: Database; now: () => Date }) {
  return {
    /** Closes the log of a tenant. What is handled later is recorded all the same: nothing that happened goes missing. */
    async record({ db }: Transaction, { tenant_id, data }: Event): Promise<void> {
      const said = eventTypes.tenant_deleted.data.safeParse(data).data;
      const { audit_retention_days = longestRetentionDays } = said ?? {};
      const closedAt = now();
      const days = Math.max(audit_retention_days, shortestRetentionDays);
      await insertDeletedTenant(db, tenant_id, closedAt, new Date(closedAt.getTime() + days * day));
    },

    isClosed: (db: Database, tenantId: TenantId) => isDeleted(db, tenantId),

    /** Entries whose retention is over, and who is remembered only since there could be some. */
    pruning: [
      { table: 'entries', remove: (rows: number) => deleteEntriesKeptUntil(database, now(), rows) },
      { table: 'deleted_tenants', since: 'keep_until', keep: '400 days' },
    ] satisfies Pruning[],
  };
}

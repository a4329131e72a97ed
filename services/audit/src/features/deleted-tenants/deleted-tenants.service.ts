import { eventTypes, refusedTypes, type Event } from '@sluice/contracts';
import type { Pruning } from '@sluice/service';
import type { Transaction } from '../../database/tables.ts';
import { findDeleted, insertDeletedTenant } from '../../stores/deleted-tenants.store.ts';
import type { LogService } from '../log/log.service.ts';

export type DeletedTenantsService = ReturnType<typeof deletedTenantsService>;

/** where the event does not say */
const longestRetentionDays = 365;

/** Tenants whose deletion the audit log has heard of. Their entries stay for their retention, for the operator alone. */
export function deletedTenantsService(log: LogService) {
  return {
    /** Closes the log of a tenant. What is handled later is recorded all the same: nothing that happened goes missing. */
    async record({ db }: Transaction, { tenant_id, data }: Event): Promise<void> {
      const said = eventTypes.tenant_deleted.data.safeParse(data).data;
      const { audit_retention_days = longestRetentionDays } = said ?? {};
      await insertDeletedTenant(db, tenant_id, audit_retention_days);
    },

    /**
     * Leaves out the refused attempts at a tenant that is deleted: other services count them for a while, and say so when it is gone. It
     * is decided while nobody else can close a log, here or in another replica; what came before the deletion in its batch stays.
     */
    async withoutLateRefusals<T extends { event: Event }>(tx: Transaction, all: readonly T[]): Promise<T[]> {
      const refused = all
        .filter(({ event }) => refusedTypes.has(event.type))
        .map(({ event }) => event.tenant_id);
      if (refused.length === 0) return [...all];
      await log.lock(
        tx,
        all.map(({ event }) => event.tenant_id),
      );
      const closed = new Set(await findDeleted(tx.db, refused));
      return all.filter(({ event: { type, tenant_id } }) => {
        if (type === 'tenant_deleted') closed.add(tenant_id);
        return !(refusedTypes.has(type) && closed.has(tenant_id));
      });
    },

    /** Kept beyond the months of the log that may have entries of them. */
    pruning: [{ table: 'deleted_tenants', since: 'keep_until', keep: '400 days' }] satisfies Pruning[],
  };
}

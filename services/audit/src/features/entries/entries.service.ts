import { problem, type Envelope, type Page, type ParamsOf, type QueryOf } from '@sluice/service-kit';
import type { Database, Transaction } from '../../database/tables.ts';
import type { operations } from '../../generated/api.ts';
import { findEntries, insertEntry, type Entry } from '../../stores/entries.store.ts';
import type { DeletedTenantsService } from '../deleted-tenants/deleted-tenants.service.ts';
import type { PlansService } from '../plans/plans.service.ts';
import { knownTypes } from './audit-types.ts';
import { filterOf } from './entry-filter.ts';
import { isUnderstood, readEvent } from './event.ts';

type TenantPath = ParamsOf<operations['listAuditEntries']>;
type EntriesQuery = QueryOf<operations['listAuditEntries']>;

export interface EntriesDependencies {
  database: Database;
  deletedTenants: DeletedTenantsService;
  plans: PlansService;
}
export type EntriesService = ReturnType<typeof entriesService>;

/** The audit log (interface, 4.15): an entry for each event, written once. */
export function entriesService({ database, deletedTenants, plans }: EntriesDependencies) {
  return {
    /**
     * Records an event; the deletion of a tenant closes its log, too. First it is recorded, then it is asked whether it is
     * understood: one that this release does not know, or not in this form, is kept as it came, since no entry may be missing.
     * @param position of the event in its stream
     * @throws PermanentError when it cannot be an event at all
     */
    async record(tx: Transaction, message: Envelope, position: number): Promise<void> {
      const event = readEvent(message);
      if (event.type === 'tenant_features_updated') return await plans.record(tx, event);
      if (knownTypes.get(event.type)?.audit === false) return;
      await insertEntry(tx.db, event, position, isUnderstood(message) ? null : message);
      if (event.type === 'tenant_deleted') await deletedTenants.record(tx, event);
    },

    /**
     * One page of the tenant's entries that satisfy the filters of the query, newest first, and how many there are in all.
     * @throws Problem `invalid_request`, `not_found` when the tenant is deleted
     */
    async list({ tenant_id }: TenantPath, query: EntriesQuery, page: Page): Promise<[Entry[], number]> {
      const found = await findEntries(database, filterOf(tenant_id, query), page);
      if (found.closed) throw problem('not_found');
      return [found.entries, found.total];
    },
  };
}

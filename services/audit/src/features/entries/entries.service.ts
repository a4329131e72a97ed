import { eventSchema } from '@sluice/contracts';
import { problem, type Envelope, type Page, type ParamsOf, type QueryOf } from '@sluice/service-kit';
import type { Database, Transaction } from '../../database/tables.ts';
import type { operations } from '../../generated/api.ts';
import { findEntries, insertEntry, type Entry } from '../../stores/entries.store.ts';
import type { DeletedTenantsService } from '../deleted-tenants/deleted-tenants.service.ts';
import { knownTypes } from './audit-types.ts';
import { filterOf } from './entry-filter.ts';

type TenantPath = ParamsOf<operations['listAuditEntries']>;
type EntriesQuery = QueryOf<operations['listAuditEntries']>;

export interface EntriesDependencies {
  database: Database;
  deletedTenants: DeletedTenantsService;
}
export type EntriesService = ReturnType<typeof entriesService>;

/** The audit log (interface, 4.15): an entry for each event, written once. */
export function entriesService({ database, deletedTenants }: EntriesDependencies) {
  return {
    /**
     * Records an event; the deletion of a tenant closes its log, too. A type that is not known is recorded as it is, since no
     * entry may be missing.
     * @param position of the event in its stream
     * @throws ZodError when the event does not have the shape of its type
     */
    async record(tx: Transaction, message: Envelope, position: number): Promise<void> {
      const event = eventSchema.parse(message);
      const known = knownTypes.get(event.type);
      if (known?.audit === false) return;
      known?.data.parse(event.data);
      await insertEntry(tx.db, event, position);
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

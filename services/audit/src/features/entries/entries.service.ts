import type { Event, eventTypes, TenantId } from '@sluice/contracts';
import type { Page, ParamsOf, QueryOf } from '@sluice/http';
import type { Many, Received } from '@sluice/messaging';
import { problem } from '@sluice/service';
import type { Database, Transaction } from '../../database/tables.ts';
import type { operations } from '../../generated/api.ts';
import { searchOf, type EntryFilter } from '../audit-log/entry-filter.ts';
import { findEntries, searchEntries, type Entry } from './entries.store.ts';
import type { DeletedTenantsService } from '../deleted-tenants/deleted-tenants.service.ts';
import { draftOf } from '../audit-log/draft.ts';
import { preparedDraft, type AuditLog, type PreparedDraft } from '../audit-log/audit-log.service.ts';
import type { PlansService } from '../plans/plans.service.ts';
import { knownTypes } from './audit-types.ts';
import { badParameter, filterOf } from './query-filter.ts';
import { readEvent } from './event.ts';
import type { SenderClocks } from './sender-clocks.ts';

type TenantPath = ParamsOf<operations['listAuditEntries']>;
type EntriesQuery = QueryOf<operations['listAuditEntries']>;

export interface EntriesDependencies {
  database: Database;
  clocks: Pick<SenderClocks, 'correctedTime'>;
  auditLog: AuditLog;
  deletedTenants: DeletedTenantsService;
  plans: PlansService;
}
export type EntriesService = ReturnType<typeof entriesService>;

/** The audit log (interface, 4.15): an entry for each event, written once. */
export function entriesService({ database, clocks, auditLog, deletedTenants, plans }: EntriesDependencies) {
  async function store(tx: Transaction, events: readonly Recordable[]): Promise<void> {
    await auditLog.append(tx.db, await deletedTenants.withoutLateRefusals(tx, events.filter(isAudited)));
    // in one order for all replicas, so that they do not deadlock
    const sorted = events.map(({ event }) => event).sort((one, other) => one.tenant_id - other.tenant_id);
    for (const event of sorted.filter(isOf('tenant_features_updated'))) await plans.record(tx, event);
    for (const event of sorted.filter(isOf('tenant_deleted'))) await deletedTenants.record(tx, event);
  }

  async function search(tenant: TenantId, text: string): Promise<string> {
    const words = await searchOf(database, tenant, text);
    if (words === '') throw badParameter('q', 'empty', 'has no word');
    return words;
  }

  return {
    /**
     * Records an event; the deletion of a tenant closes its log, too. First it is recorded, then it is asked whether it is
     * understood: one that this release does not know, or not in this form, is kept as it came, since no entry may be missing.
     * @throws PermanentError when it cannot be an event at all
     */
    async record(tx: Transaction, received: Received): Promise<void> {
      await store(tx, [recordableOf(clocks, received)]);
    },

    /** As `record`, for events that come in numbers. */
    recordMany(): Many<Transaction> {
      const events: Recordable[] = [];
      return {
        add: (received) => void events.push(recordableOf(clocks, received)),
        store: (tx, isNew) =>
          store(
            tx,
            events.filter(({ received }) => isNew(received)),
          ),
      };
    },

    /**
     * One page of the tenant's entries that satisfy the filters of the query, newest first, and how many there are in all.
     * @throws Problem `invalid_request`, `not_found` when the tenant is deleted
     */
    async list({ tenant_id }: TenantPath, query: EntriesQuery, page: Page): Promise<[Entry[], number]> {
      const filter = withinRetention(filterOf(tenant_id, query), await plans.shownFrom(tenant_id));
      const found =
        query.q === undefined
          ? await findEntries(database, filter, page)
          : await searchEntries(database, { ...filter, search: await search(tenant_id, query.q) }, page);
      if (found.closed) throw problem('not_found');
      return [found.entries, found.total];
    },
  };
}

/** An event with all that can be done before its place in the log is known. */
interface Recordable extends PreparedDraft {
  received: Received;
  event: Event;
}

/** An event of a sender whose clock is wrong is recorded at the time of NATS, and as it came besides. */
function recordableOf(clocks: EntriesDependencies['clocks'], received: Received): Recordable {
  const { message, position } = received;
  const { event, isUnderstood } = readEvent(message);
  const occurred_at = clocks.correctedTime(received)?.toISOString();
  const recorded = occurred_at === undefined ? event : { ...event, occurred_at };
  const asSent = isUnderstood && recorded === event ? null : message;
  // after a restore of the database it is the same again, and so are the hashes that were published
  const recorded_at = received.arrivedAt;
  return { received, event, ...preparedDraft({ ...draftOf(recorded, position, asSent), recorded_at }) };
}

const isAudited = ({ event }: { event: Event }) => knownTypes.get(event.type)?.audit !== false;

const isOf = (type: keyof typeof eventTypes) => (event: Event) => event.type === type;

/** What is older is stored until its month goes, and is not shown. */
function withinRetention(filter: EntryFilter, shownFrom: Date | undefined): EntryFilter {
  const { from } = filter;
  return shownFrom && (!from || from < shownFrom) ? { ...filter, from: shownFrom } : filter;
}

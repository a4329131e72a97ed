import type { DeploymentId, DivisionId, EnvironmentId, Event, TenantId, UserId } from '@sluice/contracts';
import type { Page } from '@sluice/service-kit';
import type { Selectable } from 'kysely';
import type { Database, Tables } from '../database/tables.ts';

export type Entry = Selectable<Tables['entries']>;

/** What entries are looked for; absent: whatever it may be. */
export interface EntryFilter {
  tenant: TenantId;
  /** included */
  from?: Date | undefined;
  /** not included */
  to?: Date | undefined;
  author?: UserId | undefined;
  user?: UserId | undefined;
  division?: DivisionId | undefined;
  environment?: EnvironmentId | undefined;
  deployment?: DeploymentId | undefined;
  types?: readonly string[] | undefined;
  correlationId?: string | undefined;
}

/**
 * Adds the entry of an event; one that already has its entry is dropped.
 * @param position of the event in its stream
 * @param asSent the event as it came, where this release does not understand it
 */
export async function insertEntry(
  db: Database,
  event: Event,
  position: number,
  asSent: object | null,
): Promise<void> {
  const { author, user, division, environment, deployment, api_key } = event;
  await db
    .insertInto('entries')
    .values({
      event_id: event.id,
      sequence: position,
      tenant_id: event.tenant_id,
      type: event.type,
      author_id: author?.id ?? null,
      author_name: author?.name ?? null,
      user_id: user?.id ?? null,
      user_name: user?.name ?? null,
      division_id: division?.id ?? null,
      division_name: division?.name ?? null,
      environment_id: environment?.id ?? null,
      environment_name: environment?.name ?? null,
      deployment_id: deployment?.id ?? null,
      deployment_name: deployment?.name ?? null,
      api_key_id: api_key?.id ?? null,
      api_key_name: api_key?.name ?? null,
      data: JSON.stringify(event.data ?? null),
      correlation_id: event.correlation_id,
      occurred_at: new Date(event.occurred_at),
      as_sent: asSent && JSON.stringify(asSent),
    })
    .onConflict((conflict) => conflict.column('event_id').doNothing())
    .execute();
}

/** The statement of one page, newest first; each filter has its index (migration 001). */
export function pageOfEntries(db: Database, filter: EntryFilter, { results, offset }: Page) {
  return matching(db, filter)
    .selectAll()
    .orderBy('occurred_at', 'desc')
    .orderBy('sequence', 'desc')
    .limit(results)
    .offset(offset);
}

/** What there is to say about the log of a tenant, as it was at one moment. */
export interface Found {
  /** whether its log is closed, since it was deleted */
  closed: boolean;
  entries: Entry[];
  /** how many match in all */
  total: number;
}

/** One page, newest first, with what it is a page of: one statement. */
export async function findEntries(db: Database, filter: EntryFilter, page: Page): Promise<Found> {
  const rows = await db
    .selectNoFrom((found) => [
      matching(db, filter)
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .as('total'),
      found
        .exists(
          found.selectFrom('deleted_tenants').select('tenant_id').where('tenant_id', '=', filter.tenant),
        )
        .as('closed'),
    ])
    .$call((head) => db.selectFrom(head.as('found')))
    .leftJoinLateral(pageOfEntries(db, filter, page).as('entry'), (join) => join.onTrue())
    .selectAll()
    .orderBy('occurred_at', 'desc')
    .orderBy('sequence', 'desc')
    .execute();
  const { total, closed } = rows[0] ?? {};
  // where the page is empty, all of its one row is null
  const entries = rows.filter(({ event_id }) => event_id !== null) as Entry[];
  return { entries, total: total ?? 0, closed: closed === true };
}

/**
 * Deletes some entries of deleted tenants that were to be kept until then at most: the one case in which an entry goes.
 * @returns how many
 */
export async function deleteEntriesKeptUntil(db: Database, now: Date, limit: number): Promise<number> {
  const over = await db
    .selectFrom('entries')
    .innerJoin('deleted_tenants', 'deleted_tenants.tenant_id', 'entries.tenant_id')
    .where('deleted_tenants.keep_until', '<=', now)
    .select('entries.event_id')
    .limit(limit)
    .execute();
  // nothing is locked for nothing
  if (over.length === 0) return 0;
  const ids = over.map(({ event_id }) => event_id);
  const { numDeletedRows } = await db.deleteFrom('entries').where('event_id', 'in', ids).executeTakeFirst();
  return Number(numDeletedRows);
}

function matching(db: Database, filter: EntryFilter) {
  let query = db.selectFrom('entries').where('tenant_id', '=', filter.tenant);
  for (const subject of ['author', 'user', 'division', 'environment', 'deployment'] as const) {
    const id = filter[subject];
    if (id !== undefined) query = query.where(`${subject}_id`, '=', id);
  }
  const { from, to, types, correlationId } = filter;
  if (from) query = query.where('occurred_at', '>=', from);
  if (to) query = query.where('occurred_at', '<', to);
  if (types) query = query.where('type', 'in', types);
  if (correlationId) query = query.where('correlation_id', '=', correlationId);
  return query;
}

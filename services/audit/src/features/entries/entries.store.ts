import type { Page } from '@sluice/http';
import type { Selectable } from 'kysely';
import type { Database, Tables } from '../../database/tables.ts';
import { isDeleted } from '../deleted-tenants/deleted-tenants.store.ts';
import { matching, type EntryFilter } from '../audit-log/entry-filter.ts';
import { countedTotal, timeBefore } from '../audit-log/log-counts.store.ts';

/** As it is listed, wherever it is stored. */
export type Entry = Omit<Selectable<Tables['log_entries']>, 'recorded_at' | 'prev_hash' | 'hash'>;

/** The statement of one page, newest first; each filter has its index. */
export function pageOfEntries(db: Database, filter: EntryFilter, { results, offset }: Page) {
  return matching(db, filter)
    .selectAll()
    .orderBy('occurred_at', 'desc')
    .orderBy('position', 'desc')
    .orderBy('seq', 'desc')
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

/** rows that are passed over by reading them */
const shortSkip = 1_000;

/**
 * One page, newest first, with what it is a page of. Where the matching entries are counted, neither a page far back nor the number of
 * all takes longer when there are more of them; of others, all are read.
 */
export async function findEntries(db: Database, filter: EntryFilter, page: Page): Promise<Found> {
  const total = await countedTotal(db, filter);
  if (total === undefined) return await findUncounted(db, filter, page);
  const entries = page.offset < total ? await findFrom(db, filter, page) : [];
  return { entries, total, closed: await isDeleted(db, filter.tenant) };
}

/** The entries of a page; of one far back, from a time on after which there are nearly as many as are to be passed over. */
async function findFrom(db: Database, filter: EntryFilter, page: Page): Promise<Entry[]> {
  const time = page.offset > shortSkip ? await timeBefore(db, filter, page.offset) : undefined;
  if (!time) return await pageOfEntries(db, filter, page).execute();
  const after = new Date(time.getTime() + 1);
  const passed = (await countedTotal(db, { ...filter, from: later(filter.from, after) })) ?? 0;
  const rest = { ...filter, to: earlier(filter.to, after) };
  return await pageOfEntries(db, rest, { ...page, offset: page.offset - passed }).execute();
}

const later = (one: Date | undefined, other: Date) => (one && one > other ? one : other);
const earlier = (one: Date | undefined, other: Date) => (one && one < other ? one : other);

/** as many entries as a search finds */
const mostFound = 10_000;

/** One page of the newest 10,000 entries that a search finds. */
export async function searchEntries(db: Database, filter: EntryFilter, page: Page): Promise<Found> {
  const { total } = await foundKeys(db, filter)
    .$call((keys) => db.selectFrom(keys.as('found')))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const entries = page.offset < total ? await pageOfEntries(db, filter, withinFound(page)).execute() : [];
  return { entries, total, closed: await isDeleted(db, filter.tenant) };
}

/** The last page of what is found may have fewer than there are. */
const withinFound = (page: Page): Page => ({
  ...page,
  results: Math.min(page.results, mostFound - page.offset),
});

/** The newest entries of a search, by what they are ordered by. */
export const foundKeys = (db: Database, filter: EntryFilter) =>
  matching(db, filter)
    .select(['occurred_at', 'position', 'seq'])
    .orderBy('occurred_at', 'desc')
    .orderBy('position', 'desc')
    .orderBy('seq', 'desc')
    .limit(mostFound);

/** In one statement. */
async function findUncounted(db: Database, filter: EntryFilter, page: Page): Promise<Found> {
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
    .orderBy('position', 'desc')
    .orderBy('seq', 'desc')
    .execute();
  const { total, closed } = rows[0] ?? {};
  // where the page is empty, all of its one row is null
  const entries = rows.filter(({ event_id }) => event_id !== null) as Entry[];
  return { entries, total: total ?? 0, closed: closed === true };
}

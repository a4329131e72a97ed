import type { TenantId } from '@sluice/contracts';
import { sql, type Selectable } from 'kysely';
import type { Database, Tables } from '../../database/tables.ts';
import { matching, type EntryFilter } from './entry-filter.ts';
import { entryOf, type LogEntry } from './log-entries.store.ts';

/** The log of a tenant in the order in which it was recorded, as it leaves Sluice. */

/** A part of a log. */
export interface LogRange {
  /** not included */
  after: number;
  /** when the entry was recorded that it is behind, where others of its number are part of it too: only who forges a log adds such */
  afterTime?: Date | undefined;
  /** included; default: to the end */
  upTo?: number;
  /** when the entry was recorded that it is behind, where that is known: what was before is not looked at */
  recordedSince?: Date | undefined;
}

/** How much is in memory at a time. */
export interface Bounds {
  entries: number;
  /** together, as text; a single entry may have more */
  bytes: number;
}

/** Some entries of a range that satisfy a filter, oldest first, and whether these are all: read off the primary key. */
export async function findEntriesIn(
  db: Database,
  filter: EntryFilter,
  { after, afterTime, upTo, recordedSince }: LogRange,
  most: Bounds,
): Promise<{ entries: LogEntry[]; isAll: boolean }> {
  let query = matching(db, filter);
  query = afterTime
    ? query.where(sql<boolean>`(seq, recorded_at) > (${after}, ${afterTime})`)
    : query.where('seq', '>', after);
  if (upTo !== undefined) query = query.where('seq', '<=', upTo);
  if (recordedSince) query = query.where('recorded_at', '>=', recordedSince);
  const some = query
    .selectAll()
    .select([
      sql<number>`row_number() OVER (ORDER BY seq, recorded_at)`.as('place'),
      sql<number>`sum(${bytesOfEntry}) OVER (ORDER BY seq, recorded_at ROWS UNBOUNDED PRECEDING)`.as('bytes'),
      sql<number | null>`lead(seq) OVER (ORDER BY seq, recorded_at)`.as('next'),
    ])
    .orderBy('seq')
    .orderBy('recorded_at')
    .limit(most.entries);
  const rows = await db
    .selectFrom(some.as('some'))
    .selectAll()
    .where((row) => row.or([row('place', '=', 1), row('bytes', '<=', most.bytes)]))
    .orderBy('seq')
    .orderBy('recorded_at')
    .execute();
  return { entries: rows.map(entryOf), isAll: (rows.at(-1)?.next ?? null) === null };
}

/** with what an entry has beside its data, and those have few */
const bytesOfEntry = sql`1000 + octet_length(data::text) + coalesce(octet_length(as_sent::text), 0)`;

/** The first entry of a range that is there. */
export async function findOldestEntryAfter(
  db: Database,
  tenantId: TenantId,
  { after, recordedSince }: LogRange,
): Promise<Pick<Selectable<Tables['log_entries']>, 'seq' | 'recorded_at'> | undefined> {
  let query = db
    .selectFrom('log_entries')
    .select(['seq', 'recorded_at'])
    .where('tenant_id', '=', tenantId)
    .where('seq', '>', after);
  if (recordedSince) query = query.where('recorded_at', '>=', recordedSince);
  return await query.orderBy('seq').limit(1).executeTakeFirst();
}

/** `seq` of the last entry of a tenant; 0 for none. */
export async function findLogEnd(db: Database, tenantId: TenantId): Promise<number> {
  const head = await db
    .selectFrom('log_heads')
    .select('seq')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return head?.seq ?? 0;
}

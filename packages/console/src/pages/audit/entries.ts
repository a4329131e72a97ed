import type { AuditEntry, ListAuditEntriesData } from '@sluice/client';

/** The filters of the log, as they stand in the address. */
export interface LogFilter {
  q?: string | undefined;
  type?: string | undefined;
  /** who did it */
  person?: number | undefined;
  division?: number | undefined;
  environment?: number | undefined;
  deployment?: number | undefined;
  after?: string | undefined;
  before?: string | undefined;
}

type ListQuery = Omit<NonNullable<ListAuditEntriesData['query']>, 'page' | 'results'>;

/** The filters as the API has them. */
export function queryOf({ type, person, ...rest }: LogFilter): ListQuery {
  const query = { ...rest, author: person, types: type === undefined ? undefined : [type] };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}

/** The filters of an export, which has no search for words. Its `from` is inclusive and its `to` exclusive, so each is one step later. */
export function exportQueryOf(filter: LogFilter): Record<string, string> {
  const { after, before, types, ...rest } = queryOf(filter);
  const query = {
    ...rest,
    q: undefined,
    types: types?.join(','),
    from: after === undefined ? undefined : laterBy(after, 1),
    to: before,
  };
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

/** A time so many milliseconds later. */
export const laterBy = (at: string, milliseconds: number): string =>
  new Date(Date.parse(at) + milliseconds).toISOString();

/** how late an entry can be: it is listed by the time of what happened, and a region can report that late */
const lateMs = 120_000;

/** From when on to look for what is new. What is late has a time before that of the newest that is known. */
export function lookAfter(newest: string | undefined, { after }: LogFilter, opened: string): string {
  const from = laterBy(newest ?? opened, -lateMs);
  return after !== undefined && after > from ? after : from;
}

/** What tells an entry from others: it has no id of its own. */
const digestOf = (entry: AuditEntry): string => JSON.stringify(entry);

/**
 * Puts what was found to what is known, the newest first.
 * @returns the same list when nothing is new
 */
export function withNew(known: readonly AuditEntry[], found: readonly AuditEntry[]): readonly AuditEntry[] {
  const oldest = found.at(-1)?.timestamp;
  if (oldest === undefined) return known;
  const end = known.findIndex(({ timestamp }) => timestamp < oldest);
  const near = end === -1 ? known : known.slice(0, end);
  const there = new Set(near.map(digestOf));
  const fresh = found.filter((entry) => !there.has(digestOf(entry)));
  if (fresh.length === 0) return known;
  const sorted = [...fresh, ...near].sort((a, b) => b.timestamp.localeCompare(a.timestamp));
  return [...sorted, ...known.slice(near.length)];
}

const keys = new WeakMap<AuditEntry, number>();
let lastKey = 0;

/** A key for the row of an entry, as long as the page is open. */
export function entryKey(entry: AuditEntry): number {
  const key = keys.get(entry) ?? ++lastKey;
  keys.set(entry, key);
  return key;
}

/** Who did it, in words. */
export function authorOf({ author, api_key: key }: AuditEntry): string {
  if (!author) return key ? `API key ${key.name}` : 'The system';
  return key ? `${author.name}, key ${key.name}` : author.name;
}

/** Where it happened, in words; empty for the whole tenant. */
export const placeOf = ({ division, environment, deployment }: AuditEntry): string =>
  [division, environment, deployment].flatMap((place) => (place ? [place.name] : [])).join(' / ');

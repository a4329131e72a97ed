/** Who or what an entry of the audit log names, as it was called then. */
export interface ChainedRef {
  id: number;
  name: string;
}

/**
 * All that an entry of the audit log says, in the form that its hash is taken over. Times are of the form
 * `2026-03-14T09:26:53.589Z`, from a file or a database.
 */
export interface ChainedEntry {
  tenant_id: number;
  /** its place in the log of its tenant: 1, 2, … without gaps, in the order in which they were recorded */
  seq: number;
  /** when; never before that of the entry before it */
  recorded_at: string;
  event_id: string;
  /** of the event among all events: the order of what happened within a millisecond */
  position: number;
  type: string;
  author: ChainedRef | null;
  user: ChainedRef | null;
  division: ChainedRef | null;
  environment: ChainedRef | null;
  deployment: ChainedRef | null;
  api_key: ChainedRef | null;
  data: unknown;
  /** the event as it came, where the release that recorded it did not understand it */
  as_sent: unknown;
  correlation_id: string | null;
  occurred_at: string;
}

/** The last entry of a log, or of a part of it: what comes after is chained to it. */
export interface ChainHead {
  seq: number;
  /** SHA-256, in hex */
  hash: string;
}

/** Before the first entry of a tenant. */
export const emptyChain: ChainHead = { seq: 0, hash: '0'.repeat(64) };

/** A head that was published outside of the database, so that a rewrite of the entries before it is noticed. */
export interface PublishedHead extends ChainHead {
  tenant_id: number;
  /** when */
  at: string;
  /** when its entry was recorded: what retention may have taken is older */
  recorded_at: string;
  /** the audit service's word, over `headText` in `headContext` */
  signature: string;
}

export const headContext = 'audit-head';

export const headText = ({ tenant_id, seq, hash, at, recorded_at }: Omit<PublishedHead, 'signature'>) =>
  canonicalJson({ tenant_id, seq, hash, at, recorded_at });

/** which form this is: another one would be another hash */
const form = 'sluice-audit-entry-1';

/** What an entry says without its place in the chain, in the form that its hash is taken over: what stands before that and after. */
export interface EntryText {
  before: string;
  after: string;
}

/** An entry's place in the chain of its tenant. */
export type ChainPlace = Pick<ChainedEntry, 'seq' | 'recorded_at'>;

/** The greater part of the work, which can be done before the place is known: the fields in the order of RFC 8785, up to `previous` and from `tenant_id`. */
export function textOfEntry(entry: Omit<ChainedEntry, keyof ChainPlace>): EntryText {
  const { api_key, as_sent, author, correlation_id, data, deployment, division, environment } = entry;
  const { event_id, occurred_at, position, tenant_id, type, user } = entry;
  const first = { api_key, as_sent, author, correlation_id, data, deployment, division, environment };
  const before = canonicalJson({ ...first, event_id, form, occurred_at, position });
  const after = canonicalJson({ tenant_id, type, user });
  return { before: before.slice(0, -1), after: after.slice(1) };
}

/** What the hash of an entry is taken over: its text with its place in it. */
export function textInPlace(
  { before, after }: EntryText,
  { seq, recorded_at }: ChainPlace,
  previous: string,
): string {
  const place = canonicalJson({ previous, recorded_at, seq }).slice(1, -1);
  return `${before},${place},${after}`;
}

/**
 * JSON in the one form that RFC 8785 gives a value: keys in order, numbers and texts as JavaScript writes them. Here and not in a library,
 * so that a log can be verified with nothing but Node.
 */
export function canonicalJson(value: unknown): string {
  // nearly always it has it already
  return isInOrder(value) ? JSON.stringify(value) : orderedJson(value);
}

function orderedJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(orderedJson).join(',')}]`;
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${orderedJson(field)}`).join(',')}}`;
}

function isInOrder(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isInOrder);
  let before = '';
  for (const key of Object.keys(value)) {
    if (key < before || !isInOrder((value as Readonly<Record<string, unknown>>)[key])) return false;
    before = key;
  }
  return true;
}

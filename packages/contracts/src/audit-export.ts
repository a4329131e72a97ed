import type { ChainedEntry, ChainedRef } from './audit-chain.ts';

/**
 * The audit log as it leaves Sluice: a line for each entry, with all that its hash is taken over, so that whoever has the lines can verify
 * them. Nothing but Node is needed to read them.
 */
export interface ExportedEntry extends ChainedEntry {
  /** of the entry before it, and its own: SHA-256 in hex */
  prev_hash: string;
  hash: string;
}

/** An entry as one line of JSON, without the end of the line. */
export function ndjsonLine(entry: ExportedEntry): string {
  return JSON.stringify({
    seq: entry.seq,
    recorded_at: entry.recorded_at,
    tenant_id: entry.tenant_id,
    event_id: entry.event_id,
    position: entry.position,
    type: entry.type,
    author: entry.author,
    user: entry.user,
    division: entry.division,
    environment: entry.environment,
    deployment: entry.deployment,
    api_key: entry.api_key,
    data: entry.data,
    as_sent: entry.as_sent,
    correlation_id: entry.correlation_id,
    occurred_at: entry.occurred_at,
    prev_hash: entry.prev_hash,
    hash: entry.hash,
  });
}

const refs = ['author', 'user', 'division', 'environment', 'deployment', 'api_key'] as const;

const columns = [
  ...['seq', 'recorded_at', 'tenant_id', 'event_id', 'position', 'type'],
  ...refs.flatMap((ref) => [`${ref}_id`, `${ref}_name`]),
  ...['data', 'as_sent', 'correlation_id', 'occurred_at', 'prev_hash', 'hash'],
];

export const csvHeader = columns.join(',');

/** An entry as a record of CSV (RFC 4180), without the end of the line; `data` and `as_sent` are JSON. */
export function csvLine(entry: ExportedEntry): string {
  return [
    ...[entry.seq, entry.recorded_at, entry.tenant_id, entry.event_id, entry.position, entry.type],
    ...refs.flatMap((ref) => [entry[ref]?.id ?? null, entry[ref]?.name ?? null]),
    ...[JSON.stringify(entry.data), entry.as_sent === null ? null : JSON.stringify(entry.as_sent)],
    ...[entry.correlation_id, entry.occurred_at, entry.prev_hash, entry.hash],
  ]
    .map(cell)
    .join(',');
}

/** what programs for tables take for the beginning of a formula, and what says that it is none */
const formula = /^[=+\-@\t\r\n']/;

/** A text that could be a formula has `'` before it, as has one that begins with `'`: so it can be taken off again. */
function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) || text === '' ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @throws Error for what is no line of an export */
export function entryOfJson(line: string): ExportedEntry {
  return checked(JSON.parse(line) as ExportedEntry);
}

/** @throws Error for what is no record of an export */
export function entryOfCsv(record: string): ExportedEntry {
  const cells = cellsOf(record);
  if (cells.length !== columns.length) throw new Error(`has ${cells.length} columns of ${columns.length}`);
  const of = (name: string) => cells[columns.indexOf(name)] ?? null;
  const ref = (name: string): ChainedRef | null => {
    const [id, named] = [of(`${name}_id`), of(`${name}_name`)];
    return id === null || named === null ? null : { id: Number(id), name: named };
  };
  const json = (name: string): unknown => JSON.parse(of(name) ?? 'null');
  return checked({
    seq: Number(of('seq')),
    recorded_at: of('recorded_at') ?? '',
    tenant_id: Number(of('tenant_id')),
    event_id: of('event_id') ?? '',
    position: Number(of('position')),
    type: of('type') ?? '',
    author: ref('author'),
    user: ref('user'),
    division: ref('division'),
    environment: ref('environment'),
    deployment: ref('deployment'),
    api_key: ref('api_key'),
    data: json('data'),
    as_sent: json('as_sent'),
    correlation_id: of('correlation_id'),
    occurred_at: of('occurred_at') ?? '',
    prev_hash: of('prev_hash') ?? '',
    hash: of('hash') ?? '',
  });
}

/** The cells of one record; null for what is empty and not in quotes. */
function cellsOf(record: string): (string | null)[] {
  const cells = record.match(/(?:^|,)("(?:[^"]|"")*"|[^",]*)/g) ?? [];
  if (cells.join('') !== record) throw new Error('is no CSV');
  return cells.map((text, place) => {
    const bare = place === 0 ? text : text.slice(1);
    if (bare === '') return null;
    const unquoted = bare.startsWith('"') ? bare.slice(1, -1).replaceAll('""', '"') : bare;
    return unquoted.startsWith("'") ? unquoted.slice(1) : unquoted;
  });
}

const hex = /^[0-9a-f]{64}$/;

function checked(entry: ExportedEntry): ExportedEntry {
  if (typeof entry !== 'object' || entry === null) throw new Error('is no entry');
  const { seq, tenant_id, hash, prev_hash } = entry;
  if (!Number.isSafeInteger(seq) || seq < 1 || !Number.isSafeInteger(tenant_id))
    throw new Error('has no number');
  if (!hex.test(hash) || !hex.test(prev_hash)) throw new Error('has no hash');
  return entry;
}

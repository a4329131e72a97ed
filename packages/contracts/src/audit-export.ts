import type { ChainedEntry, ChainedRef } from './audit-text.ts';

/**
 * The audit log as it leaves Sluice: a line for each entry, with all that its hash is taken over, so that its reader can verify
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
  const { seq, recorded_at, tenant_id, event_id, position, type, data, as_sent } = entry;
  return [
    ...[seq, plain(recorded_at), tenant_id, plain(event_id), position, quoted(type)],
    ...refs.flatMap((ref) => [entry[ref]?.id ?? '', quoted(entry[ref]?.name)]),
    ...[quoted(JSON.stringify(data)), as_sent === null ? '' : quoted(JSON.stringify(as_sent))],
    ...[plain(entry.correlation_id), plain(entry.occurred_at), plain(entry.prev_hash), plain(entry.hash)],
  ].join(',');
}

/**
 * Where a spreadsheet program can see a formula: at the beginning of a text, and behind what it may take for the end of a cell or a line,
 * since a program that splits cells at `;` or tabs ignores quotation marks in the middle of a line. In between it ignores space, marks of
 * byte order, characters without width, and quotation marks.
 */
const formula =
  /(?<=^|[;\t\r\n])(?='|[\t\r\n]|(?:(?![;\t\r\n])[\s\p{Cc}\p{Cf}"])*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu;
/** What stands before a formula, and before a `'` in such a place: so that it can be taken off again. */
const mark = /(?<=^|[;\t\r\n])'/g;

/** A text of CSV in quotation marks, of which no part is a formula. */
export function quoted(text: string | undefined): string {
  return text === undefined ? '' : `"${text.replace(formula, "'").replaceAll('"', '""')}"`;
}

/** A time, an id or a hash as it is; what is none of these as a text. */
function plain(value: string | null): string {
  if (value === null) return '';
  return /^[0-9a-z][0-9a-z:.-]*$/i.test(value) ? value : quoted(value);
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
    return unquoted.replace(mark, '');
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

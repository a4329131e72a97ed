import type { ChainedEntry, ChainedRef, TenantId } from '@sluice/contracts';
import type { Sql } from '@sluice/service';
import type { Selectable } from 'kysely';
import type { Tables } from '../database/tables.ts';

/** An entry with its place in the chain of its tenant: hashes in hex. */
export interface LogEntry extends ChainedEntry {
  prev_hash: string;
  hash: string;
}

/** A value as it stands in the text of an array; those of a number, an id or a time need no quotation marks. */
type Text = (entry: LogEntry) => string;

const nothing = 'NULL';
const quoted = (value: string) => `"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`;
const json = (value: unknown) => (value === null ? nothing : quoted(JSON.stringify(value)));
const bytes = (hex: string) => `"\\\\x${hex}"`;
const idOf = (ref: ChainedRef | null) => (ref ? String(ref.id) : nothing);
const nameOf = (ref: ChainedRef | null) => (ref ? quoted(ref.name) : nothing);

/** Each column with its type, and what of an entry stands in it. */
const columns: [name: string, type: string, text: Text][] = [
  ['tenant_id', 'bigint', ({ tenant_id }) => String(tenant_id)],
  ['seq', 'bigint', ({ seq }) => String(seq)],
  ['recorded_at', 'timestamptz', ({ recorded_at }) => recorded_at],
  ['event_id', 'uuid', ({ event_id }) => event_id],
  ['position', 'bigint', ({ position }) => String(position)],
  ['type', 'text', ({ type }) => quoted(type)],
  ...(['author', 'user', 'division', 'environment', 'deployment', 'api_key'] as const).flatMap(
    (ref): typeof columns => [
      [`${ref}_id`, 'bigint', (entry) => idOf(entry[ref])],
      [`${ref}_name`, 'text', (entry) => nameOf(entry[ref])],
    ],
  ),
  ['data', 'jsonb', ({ data }) => quoted(JSON.stringify(data))],
  ['as_sent', 'jsonb', ({ as_sent }) => json(as_sent)],
  ['correlation_id', 'uuid', ({ correlation_id }) => correlation_id ?? nothing],
  ['occurred_at', 'timestamptz', ({ occurred_at }) => occurred_at],
  ['prev_hash', 'bytea', ({ prev_hash }) => bytes(prev_hash)],
  ['hash', 'bytea', ({ hash }) => bytes(hash)],
];

const names = columns.map(([name]) => name).join(', ');
const insertion = `INSERT INTO log_entries (${names}) SELECT * FROM unnest(${columns
  .map(([, type], index) => `$${index + 1}::${type}[]`)
  .join(', ')})`;

/**
 * What is stored of entries, ready for `insertEntries`: an array for each column. They are written here: the client of PostgreSQL looks at
 * each of their values several times, which took a tenth of what recording an event costs.
 */
export function arraysOf(entries: readonly LogEntry[]): string[] {
  return columns.map(([, , text]) => `{${entries.map(text).join(',')}}`);
}

/** Adds entries, all in one statement. */
export async function insertEntries(sql: Sql, arrays: readonly string[]): Promise<void> {
  await sql.query(insertion, arrays);
}

type Row = Selectable<Tables['log_entries']>;

/** The entries of a tenant from one number to another, both included, in the order of their chain. */
export async function entriesBetween(
  sql: Sql,
  tenant: TenantId,
  first: number,
  last: number,
): Promise<LogEntry[]> {
  const rows = await sql.query<Row>(
    'SELECT * FROM log_entries WHERE tenant_id = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq',
    [tenant, first, last],
  );
  return rows.map(entryOf);
}

/** As it was recorded. */
export function entryOf(row: Row): LogEntry {
  return {
    tenant_id: row.tenant_id,
    seq: row.seq,
    recorded_at: row.recorded_at.toISOString(),
    event_id: row.event_id,
    position: row.position,
    type: row.type,
    author: refOf(row.author_id, row.author_name),
    user: refOf(row.user_id, row.user_name),
    division: refOf(row.division_id, row.division_name),
    environment: refOf(row.environment_id, row.environment_name),
    deployment: refOf(row.deployment_id, row.deployment_name),
    api_key: refOf(row.api_key_id, row.api_key_name),
    data: row.data,
    as_sent: row.as_sent,
    correlation_id: row.correlation_id,
    occurred_at: row.occurred_at.toISOString(),
    prev_hash: Buffer.from(row.prev_hash).toString('hex'),
    hash: Buffer.from(row.hash).toString('hex'),
  };
}

/** Both are there or none; where somebody has taken or added one, it is not what its hash was taken over. */
const refOf = (id: number | null, name: string | null): ChainedRef | null =>
  id === null && name === null ? null : { id: id ?? 0, name: name ?? '' };

/** Makes the partition of the month of a time unless it is there. */
export async function makePartition(sql: Sql, time: Date): Promise<void> {
  await sql.query('SELECT make_log_partition($1::date)', [monthOf(time)]);
}

/**
 * Drops the oldest month if nobody has to keep it any more.
 * @returns its name
 */
export async function dropOldestPartition(sql: Sql): Promise<string | null> {
  const [row] = await sql.query<{ dropped: string | null }>('SELECT drop_log_partition() AS dropped');
  return row?.dropped ?? null;
}

/** The first day of the month, in UTC: `2026-03-01`. */
export const monthOf = (time: Date) => `${time.toISOString().slice(0, 7)}-01`;

import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { ConfigRefused, type IncomingRecord, type PluginConfig } from '../plugin.ts';
import type { PluginContext, Source, SourceBatch, SourcePlugin } from '../plugin.ts';
import { postgresFields, PostgresServer, quoted, quotedTable } from '../postgres.ts';
import { choice, field, list, number, optionalText, text } from '../schema.ts';
import { prepared } from '../sql-columns.ts';

/**
 * Reads new and changed rows of a table, in the order of the transactions that wrote them. A transaction's rows are read once all
 * that began before it have ended: so a row that commits late is not skipped.
 */
export const postgresSource: SourcePlugin = {
  type: 'source',
  key: 'postgres',
  schema: [
    ...postgresFields,
    field('columns', 'list', 'Columns', 'those that a message holds; all without any', { max: 200 }),
    choice('start', 'Start', 'with all rows that there are, or with those that are written from now on', [
      'all',
      'new',
    ]),
    field(
      'transaction_column',
      'string',
      'Column of the transaction',
      'for tables so large that they should not be scanned: an indexed column of type xid8 that is set to ' +
        'pg_current_xact_id() whenever a row is written',
      { max: 63 },
    ),
    field('interval', 'duration', 'Interval', 'between looks for rows while there are none', {
      default: '1s',
      min: 100,
      max: 3_600_000,
    }),
    field('batch_rows', 'int', 'Rows of a batch', 'at most', { default: 500, min: 1, max: 10_000 }),
    field('max_row', 'size', 'Largest row', 'a larger one stops the source: no row is passed over', {
      default: 1_048_576,
      min: 1_024,
      max: 67_108_864,
    }),
  ],
  async open(config, context, position) {
    const source = new PostgresSource(config, context, position === null ? null : readPosition(position));
    return await prepared(source, context.stopping);
  },
};

/** Behind the row that was read last, or in front of all rows of a transaction. */
interface Position {
  transaction: string;
  key: readonly string[] | null;
}

function readPosition(position: string): Position {
  const { t, k } = JSON.parse(position) as { t: string; k: string[] | null };
  return { transaction: t, key: k };
}
const writePosition = ({ transaction, key }: Position) => JSON.stringify({ t: transaction, k: key });

interface KeyColumn {
  name: string;
  type: string;
}

interface ReadRow {
  transaction: string;
  key: string[];
  bytes: string;
  row: string | null;
}

/** rows that are fetched at once, each of at most `max_row` */
const pageLength = 50;
const fullBatchBytes = 4 * 1_048_576;
/** A cursor holds a snapshot, which keeps the table from being cleaned up. */
const longestRoundMs = 30_000;

class PostgresSource implements Source {
  readonly #config: PluginConfig;
  readonly #server: PostgresServer;
  readonly #table: string;
  #position: Position | null;
  #keys: readonly KeyColumn[] = [];
  /** the connection whose transaction has the cursor, and when that began */
  #round: { client: Client; since: number } | null = null;

  constructor(config: PluginConfig, context: PluginContext, position: Position | null) {
    this.#config = config;
    this.#server = new PostgresServer(config, context);
    this.#table = quotedTable(text(config, 'table'));
    this.#position = position;
  }

  async prepare(signal: AbortSignal): Promise<void> {
    this.#keys = await this.#server.use(signal, (client) => keysOf(client, this.#table));
    await this.#server.use(signal, (client) => this.#checkTransactionColumn(client));
  }

  async read(signal: AbortSignal): Promise<SourceBatch> {
    for (;;) {
      const batch = await this.#server.use(signal, (client) => this.#readWith(client));
      if (batch) return batch;
      await delay(number(this.#config, 'interval'), undefined, { signal });
    }
  }

  async close(): Promise<void> {
    await this.#server.close();
  }

  async #readWith(client: Client): Promise<SourceBatch | null> {
    if (this.#position === null && text(this.#config, 'start') === 'new') {
      this.#position = { transaction: await horizonOf(client), key: null };
      // nothing yet, but to be kept: what comes next is new, whenever it is read
      return { records: [], position: writePosition(this.#position) };
    }
    await this.#beginRound(client);
    const rows = await this.#fetch(client);
    const last = rows.at(-1);
    if (!last) {
      await this.#endRound(client);
      return null;
    }
    const records = rows.map((row) => this.#recordOf(row));
    const position = writePosition({ transaction: last.transaction, key: last.key });
    if (position.length > 4_000)
      throw new ConfigRefused(`A key of ${this.#table} is too long to be remembered`);
    this.#position = { transaction: last.transaction, key: last.key };
    return { records, position };
  }

  /** One statement finds all that there is by now; a batch is a part of its rows. */
  async #beginRound(client: Client): Promise<void> {
    if (this.#round?.client === client) {
      if (Date.now() - this.#round.since < longestRoundMs) return;
      await this.#endRound(client);
    }
    await client.query('BEGIN READ ONLY');
    this.#round = { client, since: Date.now() };
    try {
      const horizon = await horizonOf(client);
      await client.query(this.#cursor(), [
        this.#position?.transaction ?? '0',
        horizon,
        ...(this.#position?.key ?? this.#keys.map(() => null)),
        this.#position !== null && this.#position.key === null,
        number(this.#config, 'max_row'),
      ]);
    } catch (error) {
      await this.#endRound(client);
      throw error;
    }
  }

  async #endRound(client: Client): Promise<void> {
    this.#round = null;
    await client.query('ROLLBACK');
  }

  async #fetch(client: Client): Promise<ReadRow[]> {
    const most = number(this.#config, 'batch_rows');
    const read: ReadRow[] = [];
    let bytes = 0;
    while (read.length < most && bytes < fullBatchBytes) {
      const length = Math.min(pageLength, most - read.length);
      const { rows } = await client.query<ReadRow>(`FETCH ${length} FROM sluice_rows`);
      read.push(...rows);
      bytes += rows.reduce((sum, row) => sum + Number(row.bytes), 0);
      if (rows.length < length) break;
    }
    return read;
  }

  #recordOf({ transaction, key, bytes, row }: ReadRow): IncomingRecord {
    const name = `${text(this.#config, 'table')}/${key.map(encodeURIComponent).join('/')}@${transaction}`;
    if (row === null)
      throw new ConfigRefused(`The row ${name.slice(0, 200)} has ${bytes} bytes, more than max_row permits`);
    const id = name.length <= 200 ? name : createHash('sha256').update(name).digest('hex');
    return { id, payload: Buffer.from(row), headers: { 'content-type': 'application/json' } };
  }

  /** $1 and the keys behind $2: the position; $2: the first transaction that has not ended. */
  #cursor(): string {
    const columns = list(this.#config, 'columns').map((name) => `source.${quoted(name)}`);
    const row =
      columns.length === 0
        ? 'row_to_json(source)'
        : `(SELECT row_to_json(part) FROM (SELECT ${columns.join(', ')}) part)`;
    const own = this.#keys.map(({ name }) => `source.${quoted(name)}`);
    const behind = this.#keys.map(({ type }, place) => `$${place + 3}::text::${type}`);
    const whole = `$${this.#keys.length + 3}::boolean`;
    const most = `$${this.#keys.length + 4}::bigint`;
    const named = optionalText(this.#config, 'transaction_column');
    const transaction = named === null ? fullTransaction : `source.${quoted(named)}`;
    const bound = named === null ? 'numeric' : 'xid8';
    return `
      DECLARE sluice_rows NO SCROLL CURSOR FOR
      SELECT transaction::text, ARRAY[${own.map((_, place) => `key_${place}::text`).join(', ')}] AS key,
        octet_length(written) AS bytes, CASE WHEN octet_length(written) <= ${most} THEN written END AS row
      FROM (
        SELECT ${transaction} AS transaction, ${own.map((key, place) => `${key} AS key_${place}`).join(', ')},
          ${row}::text AS written
        FROM ${this.#table} AS source
        WHERE ${transaction} >= $1::text::${bound} AND ${transaction} < $2::text::${bound}
          AND (${transaction} > $1::text::${bound} OR ${whole} OR $3::text IS NULL OR (${own.join(', ')}) > (${behind.join(', ')}))
        ORDER BY ${transaction}, ${own.join(', ')}
      ) AS found`;
  }

  async #checkTransactionColumn(client: Client): Promise<void> {
    const named = optionalText(this.#config, 'transaction_column');
    if (named === null) return;
    const { rows } = await client.query(
      `SELECT 1 FROM pg_attribute WHERE attrelid = $1::regclass AND attname = $2 AND atttypid = 'xid8'::regtype AND attnotnull`,
      [this.#table, named],
    );
    if (rows.length === 0)
      throw new ConfigRefused(`transaction_column ${named} is no column of type xid8 NOT NULL`);
  }
}

/** All transactions before it have ended, so that what they wrote can be seen. */
async function horizonOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ horizon: string }>(
    'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon',
  );
  return rows[0]?.horizon ?? '0';
}

/**
 * The transaction that wrote a row, with the upper half that the row itself does not have. Of a row that is older than four billion
 * transactions it tells a later one; the row may then be read again.
 */
const now = 'pg_snapshot_xmax(pg_current_snapshot())::text::numeric';
const lower = 'source.xmin::text::numeric';
const epoch = `${now} - mod(${now}, 4294967296)`;
const fullTransaction = `(${epoch} + ${lower} - CASE WHEN ${epoch} + ${lower} > ${now} THEN 4294967296 ELSE 0 END)`;

/** The columns of the primary key, else of a unique index over columns that are never null. */
async function keysOf(client: Client, table: string): Promise<KeyColumn[]> {
  const { rows } = await client.query<{ keys: KeyColumn[] }>(
    `SELECT json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) ORDER BY place) AS keys
     FROM pg_index, unnest(indkey) WITH ORDINALITY AS part (number, place)
       JOIN pg_attribute ON attnum = part.number
     WHERE indrelid = $1::regclass AND attrelid = indrelid AND place <= indnkeyatts
       AND indisunique AND indisvalid AND indpred IS NULL AND indexprs IS NULL
     GROUP BY indexrelid, indisprimary
     HAVING bool_and(attnotnull)
     ORDER BY indisprimary DESC, indexrelid
     LIMIT 1`,
    [table],
  );
  const [found] = rows;
  if (!found)
    throw new ConfigRefused(
      `${table} has neither a primary key nor a unique index over columns that are never null`,
    );
  return found.keys;
}

import { isJson, textOf } from '../messages.ts';
import type { OutgoingMessage, PluginConfig, PluginContext, Rejected, Sink, SinkPlugin } from '../plugin.ts';
import { dataError, postgresFields, PostgresServer, quoted, quotedTable } from '../postgres.ts';
import { halves } from '../progress.ts';
import { text } from '../schema.ts';
import { columnFields, Columns, prepared, type SqlDialect } from '../sql-columns.ts';

const dialect: SqlDialect = {
  quoted,
  types: {
    id: 'text',
    stream: 'text',
    topic: 'text',
    headers: 'jsonb',
    published_at: 'timestamptz',
    payload: 'jsonb',
    payload_bytes: 'bytea',
  },
};

/** Inserts messages as rows. With a column for the message's id a repetition changes nothing. */
export const postgresSink: SinkPlugin = {
  type: 'sink',
  key: 'postgres',
  schema: [
    ...postgresFields,
    ...columnFields(
      'unique: a row whose value is there already is left out. Empty: a message that comes again is inserted again',
      63,
    ),
  ],
  open: async (config, context) => await prepared(new PostgresSink(config, context), context.stopping),
};

class PostgresSink implements Sink {
  readonly #config: PluginConfig;
  readonly #server: PostgresServer;
  readonly #columns: Columns;
  readonly #table: string;
  readonly #statement: string;

  constructor(config: PluginConfig, context: PluginContext) {
    this.#config = config;
    this.#columns = new Columns(config, dialect);
    this.#table = quotedTable(text(config, 'table'));
    this.#statement = insertion(this.#table, this.#columns);
    this.#server = new PostgresServer(config, context);
  }

  /** Creates the table if that is configured, and checks that a repetition would be noticed. */
  async prepare(signal: AbortSignal): Promise<void> {
    await this.#server.use(signal, async (client) => {
      if (this.#config.create_table === true) await client.query(this.#columns.creation(this.#table));
      if (this.#columns.id === null) return;
      const { rows } = await client.query(uniqueColumn, [this.#table, this.#columns.id]);
      this.#columns.requireUnique(this.#table, rows.length > 0);
    });
  }

  async write(batch: readonly OutgoingMessage[], signal: AbortSignal): Promise<Rejected[]> {
    const { messages, rejected } = this.#columns.readable(batch);
    const rows = messages.map((message) => ({ id: message.id, json: rowOf(message, this.#columns) }));
    return [...rejected, ...(await this.#insert(rows, signal))];
  }

  async close(): Promise<void> {
    await this.#server.close();
  }

  /** One statement, which takes all rows or none. Rows that the table refuses are found by halves. */
  async #insert(rows: readonly Row[], signal: AbortSignal): Promise<Rejected[]> {
    const [only] = rows;
    if (!only) return [];
    try {
      const all = `[${rows.map(({ json }) => json).join(',')}]`;
      await this.#server.use(signal, (client) => client.query(this.#statement, [all]));
      return [];
    } catch (error) {
      const refusal = dataError(error);
      if (refusal === null) throw error;
      if (rows.length === 1) return [{ id: only.id, reason: this.#server.excerpt(refusal) }];
    }
    const [first, second] = halves(rows);
    return [...(await this.#insert(first, signal)), ...(await this.#insert(second, signal))];
  }
}

interface Row {
  id: string;
  json: string;
}

/** The payload stands in it as it was written, so that no number loses digits. */
function rowOf(message: OutgoingMessage, columns: Columns): string {
  const { id, stream, topic, headers, published_at } = message;
  const about = JSON.stringify({ id, stream, topic, headers, published_at });
  const written = textOf(message) ?? '';
  const payload = isJson(message) ? written : JSON.stringify(written);
  const bytes = columns.all.some(({ source }) => source === 'payload_bytes')
    ? `,"payload_bytes":"\\\\x${Buffer.from(message.payload).toString('hex')}"`
    : '';
  return `${about.slice(0, -1)},"payload":${payload}${bytes}}`;
}

/** The server turns what stands in the message into what the column is, by the rules that it has for JSON. */
function insertion(table: string, columns: Columns): string {
  const filled = columns.all.map(({ name }) => `filled.${quoted(name)}`);
  const values = columns.all.map(
    ({ name, source, path }) => `'${name}', message #> '${pathLiteral([source, ...path])}'`,
  );
  const conflict = columns.id === null ? '' : `ON CONFLICT (${quoted(columns.id)}) DO NOTHING`;
  return `
    INSERT INTO ${table} ${columns.names}
    SELECT ${filled.join(', ')}
    FROM json_array_elements($1::json) WITH ORDINALITY AS given (message, place),
      json_populate_record(null::${table}, json_build_object(${values.join(', ')})) AS filled
    ORDER BY place
    ${conflict}`;
}

function pathLiteral(path: readonly string[]): string {
  const parts = path.map((part) => `"${part.replace(/[\\"]/g, '\\$&')}"`);
  return `{${parts.join(',')}}`.replaceAll("'", "''");
}

const uniqueColumn = `
  SELECT 1
  FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
  WHERE indrelid = $1::regclass AND attname = $2 AND indisunique AND indnkeyatts = 1 AND indpred IS NULL AND indisvalid`;

import { isJson, textOf, toldBy } from '../messages.ts';
import { ConfigRefused, type OutgoingMessage, type PluginConfig, type Rejected } from '../plugin.ts';
import type { PluginContext, Sink, SinkPlugin } from '../plugin.ts';
import { dataError, postgresFields, PostgresServer, quoted, quotedTable } from '../postgres.ts';
import { halves } from '../progress.ts';
import { field, list, optionalText, text } from '../schema.ts';

/** What a column can be filled with, and the type that it gets in a table that is made for it. */
const sources: Readonly<Record<string, string>> = {
  id: 'text',
  stream: 'text',
  topic: 'text',
  headers: 'jsonb',
  published_at: 'timestamptz',
  payload: 'jsonb',
  payload_bytes: 'bytea',
};

/** Inserts messages as rows. With a column for the message's id a repetition changes nothing. */
export const postgresSink: SinkPlugin = {
  type: 'sink',
  key: 'postgres',
  schema: [
    ...postgresFields,
    field(
      'columns',
      'list',
      'Columns',
      'each as "column=source"; a source is id, stream, topic, headers, published_at, payload, payload_bytes, or a value ' +
        'in a payload of JSON such as payload.customer.name',
      { default: ['id=id', 'topic=topic', 'payload=payload', 'published_at=published_at'], min: 1, max: 100 },
    ),
    field(
      'id_column',
      'string',
      'Column of the id',
      'unique: a row whose value is there already is left out. Empty: a message that comes again is inserted again',
      { default: 'id', max: 63 },
    ),
    field('create_table', 'bool', 'Create the table', 'if it is not there', { default: false }),
  ],
  async open(config, context) {
    const columns = list(config, 'columns').map(readColumn);
    const idColumn = optionalText(config, 'id_column');
    if (idColumn !== null && !columns.some(({ name }) => name === idColumn))
      throw new ConfigRefused(`id_column is ${idColumn}, which is not among columns`);
    const sink = new PostgresSink(config, context, columns, idColumn);
    await sink.prepare(context.stopping);
    return sink;
  },
};

interface Column {
  name: string;
  /** where its value is in a message as JSON */
  path: readonly string[];
}

function readColumn(line: string): Column {
  const [name = '', source = ''] = line.split('=').map((part) => part.trim());
  const path = source.split('.');
  quoted(name);
  const [first = ''] = path;
  if (!Object.hasOwn(sources, first) || (path.length > 1 && first !== 'payload') || path.includes(''))
    throw new ConfigRefused(`columns: ${line} has no source that there is`);
  return { name, path };
}

class PostgresSink implements Sink {
  readonly #config: PluginConfig;
  readonly #server: PostgresServer;
  readonly #columns: readonly Column[];
  readonly #idColumn: string | null;
  readonly #statement: string;

  constructor(
    config: PluginConfig,
    context: PluginContext,
    columns: readonly Column[],
    idColumn: string | null,
  ) {
    this.#config = config;
    this.#server = new PostgresServer(config, context);
    this.#columns = columns;
    this.#idColumn = idColumn;
    this.#statement = insertion(quotedTable(text(config, 'table')), columns, idColumn);
  }

  /** Makes the table if it is asked to, and looks whether a repetition would be noticed. */
  async prepare(signal: AbortSignal): Promise<void> {
    const table = quotedTable(text(this.#config, 'table'));
    try {
      await this.#server.use(signal, async (client) => {
        if (this.#config.create_table === true) await client.query(this.#creation(table));
        if (this.#idColumn === null) return;
        const { rows } = await client.query(uniqueColumn, [table, this.#idColumn]);
        if (rows.length === 0)
          throw new ConfigRefused(
            `${table} has no unique index on ${this.#idColumn}: repetitions would be rows of their own`,
          );
      });
    } catch (error) {
      await this.#server.close();
      throw error;
    }
  }

  async write(batch: readonly OutgoingMessage[], signal: AbortSignal): Promise<Rejected[]> {
    const needsText = this.#columns.some(({ path }) => path[0] === 'payload');
    const rejected: Rejected[] = [];
    const rows: Row[] = [];
    for (const message of batch) {
      const json = rowOf(message, this.#columns);
      if (needsText && textOf(message) === undefined)
        rejected.push({ id: message.id, reason: 'The payload is not text' });
      else rows.push({ id: message.id, json });
    }
    rejected.push(...(await this.#insert(rows, signal)));
    return rejected;
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
      if (rows.length === 1)
        return [{ id: only.id, reason: toldBy(refusal, [optionalText(this.#config, 'password')]) }];
    }
    const [first, second] = halves(rows);
    return [...(await this.#insert(first, signal)), ...(await this.#insert(second, signal))];
  }

  #creation(table: string): string {
    const columns = this.#columns.map(({ name, path }) => {
      const type = path.length > 1 ? 'jsonb' : sources[path[0] ?? ''];
      return `${quoted(name)} ${type}${name === this.#idColumn ? ' PRIMARY KEY' : ''}`;
    });
    return `CREATE TABLE IF NOT EXISTS ${table} (${columns.join(', ')})`;
  }
}

interface Row {
  id: string;
  /** the message as JSON text */
  json: string;
}

/** The payload stands in it as it was written, so that no number loses digits. */
function rowOf(message: OutgoingMessage, columns: readonly Column[]): string {
  const { id, stream, topic, headers, published_at } = message;
  const about = JSON.stringify({ id, stream, topic, headers, published_at });
  const written = textOf(message) ?? '';
  const payload = isJson(message) ? written : JSON.stringify(written);
  const bytes = columns.some(({ path }) => path[0] === 'payload_bytes')
    ? `,"payload_bytes":"\\\\x${Buffer.from(message.payload).toString('hex')}"`
    : '';
  return `${about.slice(0, -1)},"payload":${payload}${bytes}}`;
}

/** The server turns what stands in the message into what the column is, by the rules that it has for JSON. */
function insertion(table: string, columns: readonly Column[], idColumn: string | null): string {
  const names = columns.map(({ name }) => quoted(name));
  const values = columns.map(({ name, path }) => `'${name}', message #> '${pathLiteral(path)}'`);
  const conflict = idColumn === null ? '' : `ON CONFLICT (${quoted(idColumn)}) DO NOTHING`;
  return `
    INSERT INTO ${table} (${names.join(', ')})
    SELECT ${names.map((name) => `filled.${name}`).join(', ')}
    FROM json_array_elements($1::json) WITH ORDINALITY AS given (message, place),
      json_populate_record(null::${table}, json_build_object(${values.join(', ')})) AS filled
    ORDER BY place
    ${conflict}`;
}

/** An array of text as SQL writes it within quotes. */
function pathLiteral(path: readonly string[]): string {
  const parts = path.map((part) => `"${part.replace(/[\\"]/g, '\\$&')}"`);
  return `{${parts.join(',')}}`.replaceAll("'", "''");
}

const uniqueColumn = `
  SELECT 1
  FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
  WHERE indrelid = $1::regclass AND attname = $2 AND indisunique AND indnkeyatts = 1 AND indpred IS NULL AND indisvalid`;

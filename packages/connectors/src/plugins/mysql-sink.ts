import { dataError, isDuplicate, mysqlFields, MysqlServer, quoted, type MysqlClient } from '../mysql.ts';
import { kindOf, MessageValues, type ColumnKind } from '../mysql-values.ts';
import { ConfigRefused, type OutgoingMessage, type PluginConfig, type PluginContext } from '../plugin.ts';
import type { Rejected, Sink, SinkPlugin } from '../plugin.ts';
import { halves, pieces } from '../progress.ts';
import { text } from '../schema.ts';
import { columnFields, Columns, prepared, type SqlDialect } from '../sql-columns.ts';

const dialect: SqlDialect = {
  quoted,
  types: {
    // compared byte by byte, as ids are
    id: 'VARCHAR(320) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
    stream: 'VARCHAR(255) CHARACTER SET utf8mb4',
    topic: 'TEXT CHARACTER SET utf8mb4',
    headers: 'JSON',
    published_at: 'DATETIME(3)',
    payload: 'JSON',
    payload_bytes: 'LONGBLOB',
  },
};

/** Inserts messages as rows. With a column for the message's id a repetition changes nothing. */
export const mysqlSink: SinkPlugin = {
  type: 'sink',
  key: 'mysql',
  schema: [
    ...mysqlFields,
    ...columnFields(
      'unique, and filled with id: a row whose id is there already is left out. Empty: a message that comes again is inserted again',
      64,
    ),
  ],
  open: async (config, context) => await prepared(new MysqlSink(config, context), context.stopping),
};

const mostStatementBytes = 4 * 1_048_576;

interface Row {
  id: string;
  sql: string;
  bytes: number;
}

class MysqlSink implements Sink {
  readonly #config: PluginConfig;
  readonly #server: MysqlServer;
  readonly #columns: Columns;
  /** by connection: a table may be altered in between */
  readonly #kinds = new WeakMap<MysqlClient, Promise<ColumnKind[]>>();

  constructor(config: PluginConfig, context: PluginContext) {
    this.#config = config;
    this.#columns = new Columns(config, dialect);
    const { all, id } = this.#columns;
    // a row that is there already is found by its id
    if (id !== null && !all.some(({ name, source }) => name === id && source === 'id'))
      throw new ConfigRefused(`id_column is ${id}, which is not among columns as ${id}=id`);
    this.#server = new MysqlServer(config, context);
  }

  get #table(): { schema: string; name: string; sql: string } {
    const [name = '', schema = text(this.#config, 'database')] = text(this.#config, 'table')
      .split('.')
      .reverse();
    return { schema, name, sql: `${quoted(schema)}.${quoted(name)}` };
  }

  /** Creates the table if that is configured, and checks that a repetition would be noticed. */
  async prepare(signal: AbortSignal): Promise<void> {
    await this.#server.ask(signal, async (client) => {
      if (this.#config.create_table === true) await client.query(this.#columns.creation(this.#table.sql));
      await this.#kindsBy(client);
      if (this.#columns.id !== null)
        this.#columns.requireUnique(this.#table.sql, await this.#isUnique(client, this.#columns.id));
    });
  }

  async write(batch: readonly OutgoingMessage[], signal: AbortSignal): Promise<Rejected[]> {
    const { messages, rejected } = this.#columns.readable(batch);
    if (messages.length === 0) return rejected;
    const refused = await this.#server.ask(signal, (client) => this.#insertAll(client, messages));
    return [...rejected, ...refused];
  }

  async close(): Promise<void> {
    await this.#server.close();
  }

  async #insertAll(client: MysqlClient, messages: readonly OutgoingMessage[]): Promise<Rejected[]> {
    const kinds = await this.#kindsBy(client);
    const room = client.mostBytes - Buffer.byteLength(this.#insertion([]));
    const rejected: Rejected[] = [];
    const rows = messages.flatMap((message): Row[] => {
      const row = this.#rowOf(client, message, kinds);
      if (typeof row !== 'string' && row.bytes <= room) return [row];
      const reason =
        typeof row === 'string' ? row : `Its row is larger than the server takes (${client.mostBytes} bytes)`;
      rejected.push({ id: message.id, reason });
      return [];
    });
    for (const piece of pieces(rows, Math.min(room, mostStatementBytes)))
      rejected.push(...(await this.#insert(client, piece)));
    return rejected;
  }

  /** @returns why there can be no row */
  #rowOf(client: MysqlClient, message: OutgoingMessage, kinds: readonly ColumnKind[]): Row | string {
    const values = new MessageValues(message);
    try {
      const cells = this.#columns.all.map((column, at) =>
        client.literal(values.of(column, kinds[at] ?? 'other')),
      );
      const sql = `(${cells.join(', ')})`;
      return { id: message.id, sql, bytes: Buffer.byteLength(sql) + 2 };
    } catch (error) {
      if (error instanceof RangeError) return 'The payload is nested too deep';
      throw error;
    }
  }

  /**
   * One statement, which takes all rows or none. Those that are there are left out, those that the table refuses are found by halves.
   * @param isNew whether none of the ids was there when they were looked for
   */
  async #insert(client: MysqlClient, rows: readonly Row[], isNew = false): Promise<Rejected[]> {
    const [only] = rows;
    if (!only) return [];
    try {
      await client.query(this.#insertion(rows));
      return [];
    } catch (error) {
      // another node may have written them since
      if (isDuplicate(error) && this.#columns.id !== null && (!isNew || rows.length === 1)) {
        const left = await this.#notThere(client, rows, this.#columns.id);
        if (left.length < rows.length) return await this.#insert(client, left, true);
        isNew = true;
      }
      const refusal = dataError(error);
      if (refusal === null) throw error;
      if (rows.length === 1) return [{ id: only.id, reason: this.#server.excerpt(refusal) }];
    }
    const [first, second] = halves(rows);
    const rejected = await this.#insert(client, first, isNew);
    return [...rejected, ...(await this.#insert(client, second, isNew))];
  }

  #insertion(rows: readonly Row[]): string {
    const { names } = this.#columns;
    return `INSERT INTO ${this.#table.sql} ${names} VALUES ${rows.map(({ sql }) => sql).join(', ')}`;
  }

  /** The rows whose ids the table does not have, each once. A collation may find ids that are others. */
  async #notThere(client: MysqlClient, rows: readonly Row[], idColumn: string): Promise<Row[]> {
    const ids = rows.map(({ id }) => client.literal(id)).join(', ');
    const column = quoted(idColumn);
    const found = await client.query(
      `SELECT ${column} AS id FROM ${this.#table.sql} WHERE ${column} IN (${ids})`,
    );
    const there = new Set(found.map(({ id }) => String(id)));
    const left = new Map(rows.map((row) => [row.id, row]));
    return [...left.values()].filter(({ id }) => !there.has(id));
  }

  async #kindsBy(client: MysqlClient): Promise<ColumnKind[]> {
    const known = this.#kinds.get(client);
    if (known) return await known;
    const asked = this.#readKinds(client);
    this.#kinds.set(client, asked);
    asked.catch(() => this.#kinds.delete(client));
    return await asked;
  }

  /** @throws Error for a table or columns that are not there: they may come */
  async #readKinds(client: MysqlClient): Promise<ColumnKind[]> {
    const { schema, name, sql } = this.#table;
    const where = `TABLE_SCHEMA = ${client.literal(schema)} AND TABLE_NAME = ${client.literal(name)}`;
    const found = await client.query(
      `SELECT COLUMN_NAME AS name, DATA_TYPE AS type FROM information_schema.COLUMNS WHERE ${where}`,
    );
    if (found.length === 0) throw new Error(`The table ${sql} is not there`);
    const created = await client.query(`SHOW CREATE TABLE ${sql}`);
    const definition = String(created[0]?.['Create Table'] ?? '');
    const known = new Map(
      found.map(({ name: column, type }) => [String(column).toLowerCase(), String(type)]),
    );
    return this.#columns.all.map((column) => {
      const type = known.get(column.name.toLowerCase());
      if (type === undefined) throw new Error(`The table ${sql} has no column ${column.name}`);
      // MariaDB has no type for JSON: it checks a text
      const isJson = definition.toLowerCase().includes(`json_valid(${quoted(column.name).toLowerCase()})`);
      return kindOf(type.toLowerCase(), isJson);
    });
  }

  async #isUnique(client: MysqlClient, column: string): Promise<boolean> {
    const { schema, name } = this.#table;
    const found = await client.query(
      `SELECT INDEX_NAME FROM information_schema.STATISTICS
       WHERE TABLE_SCHEMA = ${client.literal(schema)} AND TABLE_NAME = ${client.literal(name)} AND NON_UNIQUE = 0
       GROUP BY INDEX_NAME
       HAVING count(*) = 1 AND max(COLUMN_NAME) = ${client.literal(column)} AND max(SUB_PART) IS NULL`,
    );
    return found.length > 0;
  }
}

import { isIP } from 'node:net';
import { Duplex, pipeline, Transform } from 'node:stream';
import type { Connection, ConnectionOptions, QueryError } from 'mysql2';
import type { ConfigEntry } from '@sluice/contracts';
import { KeptServer, unlessEnded } from './kept-connection.ts';
import { ConfigRefused, type PluginConfig, type PluginContext } from './plugin.ts';
import { field, number, optionalText, text, tlsFields } from './schema.ts';

const identifier = '[A-Za-z0-9_$]{1,64}';

export const mysqlFields: readonly ConfigEntry[] = [
  field('host', 'string', 'Host', 'a name, or an address where TLS is not used', {
    required: true,
    max: 255,
    destination: 'host',
  }),
  field('port', 'int', 'Port', 'of the server', { default: 3306, min: 1, max: 65_535, destination: 'value' }),
  field('database', 'string', 'Database', 'on the server', { required: true, pattern: identifier }),
  field('username', 'string', 'User name', 'of an account', { required: true, max: 80 }),
  field('password', 'secret', 'Password', 'of the account'),
  ...tlsFields,
  field('table', 'string', 'Table', 'its name, with its database if it is another one', {
    required: true,
    pattern: `${identifier}(\\.${identifier})?`,
  }),
];

export function quoted(name: string): string {
  if (!new RegExp(`^${identifier}$`).test(name))
    throw new ConfigRefused(`${name} is no name of a column or table`);
  return `\`${name}\``;
}

export type SqlValue = string | number | Uint8Array | null;

export type Row = Readonly<Record<string, string | number | null>>;

/** A connection whose statements are complete: they hold their values, by `literal`. */
export interface MysqlClient {
  query(sql: string): Promise<readonly Row[]>;
  literal(value: SqlValue): string;
  mostBytes: number;
}

const mostAnswerBytes = 4 * 1_048_576;

/**
 * Values are refused and not bent until they fit, and a statement is a transaction of its own, independent of the server's defaults. What waits
 * for a lock is not joined by its own repetitions.
 */
const session = `SET SESSION
  sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
  time_zone = '+00:00', autocommit = 1, lock_wait_timeout = 25, innodb_lock_wait_timeout = 25`;

interface Opened {
  client: MysqlClient;
  connection: Connection;
  begin: () => void;
}

export class MysqlServer extends KeptServer<Opened> {
  /** @throws ConfigRefused for a host that may not be connected to, or that no certificate can be checked for */
  constructor(config: PluginConfig, context: PluginContext) {
    // the library checks a certificate for names alone
    if (text(config, 'tls') === 'verify' && isIP(text(config, 'host')) !== 0)
      throw new ConfigRefused('host has to be a name where TLS is used');
    super(config, context, { end: ({ connection }) => connection.destroy(), isAnswer });
  }

  /** Does `work` on the connection, as `use` does; the server may go on with a statement that was given up. */
  async ask<T>(signal: AbortSignal, work: (client: MysqlClient) => Promise<T>): Promise<T> {
    return await this.use(signal, ({ client, begin }) => {
      begin();
      return work(client);
    });
  }

  protected override async connect(signal: AbortSignal, ended: () => void): Promise<Opened> {
    const { createConnection, escape } = await import('mysql2');
    signal.throwIfAborted();
    let received = 0;
    const stream = this.#stream((bytes) => (received += bytes) <= mostAnswerBytes);
    const connection = createConnection(this.#options(stream));
    // without a listener an error would end the process
    connection.on('error', () => ended()).on('end', () => ended());
    stream.on('close', () => ended());
    const open = async () => {
      await new Promise<void>((resolve, reject) => {
        stream.once('close', () => reject(new Error('The server has ended the connection')));
        connection.connect((error) => (error ? reject(error) : resolve()));
      });
      const query = (sql: string) => ask(connection, sql);
      await query(session);
      const [limit] = await query('SELECT @@max_allowed_packet AS bytes');
      const mostBytes = Number(limit?.['bytes']);
      if (!(mostBytes > 0)) throw new Error('The server does not say how large a statement may be');
      const literal = (value: SqlValue) => escape(value instanceof Uint8Array ? Buffer.from(value) : value);
      return { client: { query, literal, mostBytes }, connection, begin: () => (received = 0) };
    };
    return await unlessEnded(signal, () => connection.destroy(), open());
  }

  /** A connection by the rules on destinations, which ends once `permits` no more bytes: the library reads answers of any size. */
  #stream(permits: (bytes: number) => boolean): Duplex {
    const socket = this.context.destinations.socket();
    socket.connect(number(this.config, 'port'), text(this.config, 'host'));
    socket.setNoDelay(true);
    const counted = new Transform({
      transform(chunk: Buffer, _, done) {
        if (permits(chunk.length)) done(null, chunk);
        else done(new Error('The server has sent an answer that is too large'));
      },
    });
    const stream = Duplex.from({ writable: socket, readable: counted });
    stream.on('error', () => {}).once('close', () => socket.destroy());
    pipeline(socket, counted, (error) => error && stream.destroy(error));
    return stream;
  }

  /** Sets all that the library could otherwise choose by itself: no files of this machine, no program made of what a server sends. */
  #options(stream: Duplex): ConnectionOptions {
    const host = text(this.config, 'host');
    const ca = optionalText(this.config, 'tls_ca');
    return {
      ...{ host, port: number(this.config, 'port'), stream },
      database: text(this.config, 'database'),
      user: text(this.config, 'username'),
      password: optionalText(this.config, 'password') ?? '',
      ...(text(this.config, 'tls') === 'verify' && {
        ssl: { rejectUnauthorized: true, verifyIdentity: true, ...(ca !== null && { ca }) },
      }),
      charset: 'UTF8MB4_UNICODE_CI',
      connectTimeout: 10_000,
      connectAttributes: { program_name: `sluice ${this.context.instanceKey}` },
      flags: ['-LOCAL_FILES'],
      multipleStatements: false,
      disableEval: true,
      // statements are complete
      queryFormat: (sql: string) => sql,
    };
  }
}

const ask = (connection: Connection, sql: string) =>
  new Promise<readonly Row[]>((resolve, reject) => {
    connection.query(sql, (error: QueryError | null, rows: unknown) => {
      if (error) reject(error);
      else resolve(Array.isArray(rows) ? (rows as Row[]) : []);
    });
  });

interface Answer extends Error {
  errno: number;
  sqlState: string;
}

function isAnswer(error: unknown): error is Answer {
  if (!(error instanceof Error) || !('errno' in error) || !('sqlState' in error)) return false;
  const isFatal = 'fatal' in error && error.fatal === true;
  return typeof error.errno === 'number' && typeof error.sqlState === 'string' && !isFatal;
}

export const isDuplicate = (error: unknown) => isAnswer(error) && [1062, 1586].includes(error.errno);

/** Beside the classes of SQLSTATE: what does not fit into its column (1265, 1366, 1525), a row that is too large (1118), a CHECK (3819, 4025). */
const ofRows = [1118, 1265, 1366, 1525, 3819, 4025];
/** a column without a default that no message fills: it is about the table */
const noDefault = 1364;

/** The server's objection to the row itself: a value out of range, a constraint, a trigger. Null for any other failure. */
export function dataError(error: unknown): string | null {
  if (!isAnswer(error) || error.errno === noDefault) return null;
  const isOfRow = /^(22|23|45)/.test(error.sqlState) || ofRows.includes(error.errno);
  return isOfRow ? `${error.message} (${error.errno})` : null;
}

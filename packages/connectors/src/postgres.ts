import type { ConfigEntry } from '@sluice/contracts';
import type { Client } from 'pg';
import { checkHost } from './dial.ts';
import { ConfigRefused, type PluginConfig, type PluginContext } from './plugin.ts';
import { field, number, optionalText, text, tlsFields } from './schema.ts';

const identifier = '[A-Za-z_][A-Za-z0-9_$]{0,62}';

/** What plugins that speak to PostgreSQL can be told of their server. */
export const postgresFields: readonly ConfigEntry[] = [
  field('host', 'string', 'Host', 'a name or an address', { required: true, max: 255, destination: 'host' }),
  field('port', 'int', 'Port', 'of the server', { default: 5432, min: 1, max: 65_535, destination: 'value' }),
  field('database', 'string', 'Database', 'on the server', { required: true, max: 63 }),
  field('username', 'string', 'User name', 'of a role', { required: true, max: 63 }),
  field('password', 'secret', 'Password', 'of the role'),
  ...tlsFields,
  field('table', 'string', 'Table', 'its name, with its schema if need be', {
    required: true,
    pattern: `${identifier}(\\.${identifier})?`,
  }),
];

/** A table's name as SQL. @throws ConfigRefused for what is no name */
export function quotedTable(name: string): string {
  return name.split('.').map(quoted).join('.');
}

/** @throws ConfigRefused for what is no name */
export function quoted(name: string): string {
  if (!new RegExp(`^${identifier}$`).test(name))
    throw new ConfigRefused(`${name} is no name of a column or table`);
  return `"${name}"`;
}

/** One connection, made when it is needed and again after it has ended. */
export class PostgresServer {
  readonly #config: PluginConfig;
  readonly #context: PluginContext;
  #client: Client | null = null;

  /** @throws ConfigRefused for a host that may not be connected to */
  constructor(config: PluginConfig, context: PluginContext) {
    this.#config = config;
    this.#context = context;
    checkHost(config, context.destinations);
  }

  /** Does `work` on the connection. A failure of it ends the connection, and so does `signal`: the server rolls back then. */
  async use<T>(signal: AbortSignal, work: (client: Client) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    // nobody may be waiting for it any more
    aborted.promise.catch(() => {});
    const abort = () => {
      this.#drop();
      aborted.reject(signal.reason as Error);
    };
    signal.addEventListener('abort', abort, { once: true });
    try {
      const done = this.#connected().then((client) => {
        // it may have taken too long to connect
        signal.throwIfAborted();
        return work(client);
      });
      return await Promise.race([done, aborted.promise]);
    } catch (error) {
      if (!isAnswer(error)) this.#drop();
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => {});
  }

  async #connected(): Promise<Client> {
    if (this.#client) return this.#client;
    const { default: pg } = await import('pg');
    const client = new pg.Client(this.#options());
    this.#client = client;
    // between two batches nobody else hears of it
    client.on('error', () => this.#drop(client));
    client.on('end', () => this.#drop(client));
    try {
      await client.connect();
    } catch (error) {
      this.#drop(client);
      throw error;
    }
    return client;
  }

  #drop(client = this.#client): void {
    if (client && client === this.#client) this.#client = null;
    client?.connection.stream.destroy();
  }

  /** All that the library would otherwise take from the environment of this process is said here. */
  #options() {
    const host = text(this.#config, 'host');
    const ca = optionalText(this.#config, 'tls_ca');
    return {
      host,
      port: number(this.#config, 'port'),
      database: text(this.#config, 'database'),
      user: text(this.#config, 'username'),
      password: optionalText(this.#config, 'password') ?? '',
      ssl: text(this.#config, 'tls') === 'verify' && {
        host,
        rejectUnauthorized: true,
        ...(ca !== null && { ca }),
      },
      application_name: `sluice ${this.#context.instanceKey}`.slice(0, 63),
      options: '',
      stream: () => this.#context.destinations.socket(),
      connectionTimeoutMillis: 10_000,
      // what waits for a lock is not joined by its own repetitions
      statement_timeout: 60_000,
      idle_in_transaction_session_timeout: 60_000,
    };
  }
}

/** Whether the server has answered with this error, so that the connection is as good as before. */
function isAnswer(error: unknown): error is { code: string; message: string } {
  if (typeof error !== 'object' || error === null || !('severity' in error)) return false;
  return error.severity === 'ERROR';
}

/**
 * What the server says against the row itself: a value out of range, a constraint that it breaks, a trigger that refuses it.
 * Null for any other failure.
 */
export function dataError(error: unknown): string | null {
  if (!isAnswer(error)) return null;
  const isOfRow = /^(22|23|P0)/.test(error.code) || error.code === '54001';
  return isOfRow ? `${error.message} (${error.code})` : null;
}

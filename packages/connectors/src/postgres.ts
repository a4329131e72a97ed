import type { ConfigEntry } from '@sluice/contracts';
import type { Client } from 'pg';
import { KeptServer, unlessEnded } from './kept-connection.ts';
import { ConfigRefused, type PluginConfig, type PluginContext } from './plugin.ts';
import { field, number, optionalText, text, tlsFields } from './schema.ts';

const identifier = '[A-Za-z_][A-Za-z0-9_$]{0,62}';

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

export function quotedTable(name: string): string {
  return name.split('.').map(quoted).join('.');
}

export function quoted(name: string): string {
  if (!new RegExp(`^${identifier}$`).test(name))
    throw new ConfigRefused(`${name} is no name of a column or table`);
  return `"${name}"`;
}

export class PostgresServer extends KeptServer<Client> {
  constructor(config: PluginConfig, context: PluginContext) {
    super(config, context, {
      end: (client) => client.connection.stream.destroy(),
      quit: (client) => client.end(),
      isAnswer,
    });
  }

  /** What a sink or source decides by stays as the server has it. */
  protected override readable(error: Error): Error {
    return error;
  }

  protected override async connect(signal: AbortSignal, ended: () => void): Promise<Client> {
    const { default: pg } = await import('pg');
    signal.throwIfAborted();
    const client = new pg.Client(this.#options());
    // between two batches there is no other listener
    client.on('error', () => ended()).on('end', () => ended());
    await unlessEnded(signal, () => client.connection.stream.destroy(), client.connect());
    return client;
  }

  /** Sets all that the library would otherwise take from the environment of this process. */
  #options() {
    const host = text(this.config, 'host');
    const ca = optionalText(this.config, 'tls_ca');
    return {
      host,
      port: number(this.config, 'port'),
      database: text(this.config, 'database'),
      user: text(this.config, 'username'),
      password: optionalText(this.config, 'password') ?? '',
      ssl: text(this.config, 'tls') === 'verify' && {
        host,
        rejectUnauthorized: true,
        ...(ca !== null && { ca }),
      },
      application_name: `sluice ${this.context.instanceKey}`.slice(0, 63),
      options: '',
      stream: () => this.context.destinations.socket(),
      connectionTimeoutMillis: 10_000,
      // what waits for a lock is not joined by its own repetitions
      statement_timeout: 60_000,
      idle_in_transaction_session_timeout: 60_000,
    };
  }
}

function isAnswer(error: unknown): error is { code: string; message: string } {
  if (typeof error !== 'object' || error === null || !('severity' in error)) return false;
  return error.severity === 'ERROR';
}

/** The server's objection to the row itself: a value out of range, a constraint, a trigger. Null for any other failure. */
export function dataError(error: unknown): string | null {
  if (!isAnswer(error)) return null;
  const isOfRow = /^(22|23|P0)/.test(error.code) || error.code === '54001';
  return isOfRow ? `${error.message} (${error.code})` : null;
}

import {
  connectionOptions,
  databaseUrl,
  readConfig,
  serviceEnvironment,
  sqlOf,
  type Sql,
} from '@sluice/service';
import { usageError } from '@sluice/terminal/errors';
import { visible } from '@sluice/terminal/escape';
import type { Io } from '@sluice/terminal/io';
import { createOutput, type Output } from '@sluice/terminal/output';
import type { CommonOptions } from '@sluice/terminal/program';
import pg from 'pg';
import { z } from 'zod';
import { databasesIn, type Databases } from './databases.ts';

export interface Options extends CommonOptions {
  /** whose database is meant */
  service?: string;
  /** `-o json` of earlier releases */
  json?: boolean;
}

/** What a command works with. */
export interface Admin {
  readonly io: Io;
  /** The settings of how to connect. */
  readonly environment: NodeJS.ProcessEnv;
  readonly output: Output;
  /** whether what would be done is only said */
  readonly isDry: boolean;
  /** aborted by Ctrl-C */
  readonly signal: AbortSignal;
  /** Says something to people, on stderr. */
  say(text: string): void;
  /** Works in the database of the service that `--service` names, or else in that of `usual`. @throws CliError, ConfigError */
  withDatabase<T>(work: (sql: Sql) => Promise<T>, usual?: string): Promise<T>;
  /** Works in such a database, and says what came of it. @throws CliError, ConfigError */
  change(work: (sql: Sql) => Promise<string>, usual?: string): Promise<void>;
  /** Works in the database of the audit service, besides that of `--service`. @throws ConfigError */
  withAuditDatabase<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

const databaseEnvironment = serviceEnvironment.pick({ DATABASE_URL: true, DATABASE_TLS_CA_FILE: true });
const auditEnvironment = z.object({ AUDIT_DATABASE_URL: serviceEnvironment.shape.DATABASE_URL });

/**
 * What commands get, before the command line is read: `begin` says what it has.
 * @param given the databases among which `--service` chooses; by default those of the folder `DATABASE_URLS_DIR`
 */
export function createAdmin(
  io: Io,
  environment: NodeJS.ProcessEnv,
  given: Databases | undefined,
  signal: AbortSignal,
): Admin & { begin(options: Options): Promise<void> } {
  let options: Options = {};
  let output = createOutput(io, {});

  const folder = environment['DATABASE_URLS_DIR'];
  const known = async () => given ?? (folder ? await databasesIn(folder) : undefined);

  /** The environment, with the address of the chosen database. */
  async function settings(usual: string | undefined): Promise<NodeJS.ProcessEnv> {
    const { service } = options;
    const databases = await known();
    if (!databases) {
      if (service === undefined) return environment;
      throw usageError('--service needs DATABASE_URLS_DIR, a folder with files DATABASE_URL.<service>.');
    }
    const DATABASE_URL = databases.get(service ?? usual ?? '');
    if (DATABASE_URL === undefined)
      throw usageError(`--service is one of ${[...databases.keys()].join(', ')}.`);
    return { ...environment, DATABASE_URL, DATABASE_URL_FILE: undefined };
  }

  const say = (text: string) => void io.stderr.write(`${text.split('\n').map(visible).join('\n')}\n`);
  const withDatabase: Admin['withDatabase'] = async (work, usual) => connected(await settings(usual), work);

  return {
    io,
    environment,
    signal,
    get output() {
      return output;
    },
    get isDry() {
      return options.dryRun ?? false;
    },
    say,
    withDatabase,
    change: async (work, usual) => say(await withDatabase(work, usual)),
    async withAuditDatabase(work) {
      const databases = await known();
      const address = databases && {
        AUDIT_DATABASE_URL: databases.get('audit'),
        AUDIT_DATABASE_URL_FILE: undefined,
      };
      const { AUDIT_DATABASE_URL } = readConfig(auditEnvironment, { ...environment, ...address });
      return await connected(
        { ...environment, DATABASE_URL: AUDIT_DATABASE_URL, DATABASE_URL_FILE: undefined },
        work,
      );
    },
    async begin(chosen) {
      options = chosen;
      output = createOutput(io, chosen.json ? { ...chosen, output: 'json' } : chosen);
      // a name that is wrong is said by commands without a database, too
      if (options.service !== undefined) await settings(undefined);
    },
  };
}

async function connected<T>(environment: NodeJS.ProcessEnv, work: (sql: Sql) => Promise<T>): Promise<T> {
  const url = databaseUrl(readConfig(databaseEnvironment, environment));
  const client = new pg.Client(connectionOptions(url));
  await client.connect();
  try {
    return await work(sqlOf(client));
  } finally {
    await client.end();
  }
}

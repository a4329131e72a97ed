import { connect } from '@nats-io/transport-node';
import { operatorInbox, topology } from '@sluice/contracts';
import {
  dropOutboxDeadLetters,
  natsConnectionOptions,
  outboxDeadLetters,
  sendDeadLettersAgain,
  requestDeadLetter,
  type OutboxDeadLetter,
} from '@sluice/messaging';
import {
  ConfigError,
  connectionOptions,
  databaseUrl,
  readConfig,
  serviceEnvironment,
  sqlOf,
  type Sql,
} from '@sluice/service';
import pg from 'pg';
import { z } from 'zod';
import {
  consumerOf,
  helpOf,
  numbersOf,
  readArguments,
  regionOf,
  type Asked,
  type AskedOf,
} from './arguments.ts';
import { databasesIn, type Databases } from './databases.ts';
import { openDeadLetters, type DeadLetter } from './dead-letters.ts';
import { compareAuditLog, decide, listDifferences, tableOf, withEffects } from './restore.ts';
import { changeRegion, listRegions, regionTable } from './regions.ts';
import { ageOf } from './table.ts';
import { ofBilling } from './billing.ts';
import { ofMaintenance } from './maintenance.ts';
import { ofPayments } from './payments.ts';
import { UsageError } from './usage.ts';

const natsEnvironment = serviceEnvironment.pick({
  NATS_URL: true,
  NATS_NAMESPACE: true,
  NATS_NKEY_SEED: true,
  NATS_CREDENTIALS_FILE: true,
  NATS_TLS_CA_FILE: true,
  NATS_TLS_CERT_FILE: true,
  NATS_TLS_KEY_FILE: true,
});
const databaseEnvironment = serviceEnvironment.pick({ DATABASE_URL: true, DATABASE_TLS_CA_FILE: true });
const auditEnvironment = z.object({ AUDIT_DATABASE_URL: serviceEnvironment.shape.DATABASE_URL });

/**
 * Does what the arguments say, with settings of the environment.
 * @param databases among which `--service` chooses; by default those of the folder `DATABASE_URLS_DIR`
 * @returns what is to be printed
 * @throws UsageError, ConfigError
 */
export async function runAdmin(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  databases?: Databases,
): Promise<string> {
  const help = helpOf(args);
  if (help !== undefined) return help;
  const asked = readArguments(args);
  const settings = await settingsFor(asked, environment, databases);
  switch (asked.group) {
    case 'dead-letters':
      return await ofDeadLetters(asked, settings);
    case 'consumers':
      return await ofConsumers(asked, settings);
    case 'outbox':
      return await ofOutbox(asked, settings);
    case 'restore':
      return await ofRestore(asked, settings);
    case 'region':
      return await ofRegion(asked, settings);
    case 'billing':
      return await withDatabase(settings, (sql) => ofPayments(sql, asked));
    case 'maintenance':
      return await withDatabase(settings, (sql) => ofMaintenance(sql, asked));
    case 'billing':
      return await withDatabase(settings, (sql) => ofBilling(sql, asked));
  }
}

/** Prints what came of it. @returns the exit code: 0, 2 for a mistake of the caller, 1 for another failure */
export async function main(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  databases?: Databases,
): Promise<number> {
  try {
    process.stdout.write(`${await runAdmin(args, environment, databases)}\n`);
    return 0;
  } catch (error) {
    const isTheirs = error instanceof UsageError || error instanceof ConfigError;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return isTheirs ? 2 : 1;
  }
}

/** the groups that work in the database of main-api */
const ofMainApi: ReadonlySet<string> = new Set<Asked['group']>(['restore', 'region', 'billing']);

/** The environment, with the database of the service that is asked for. */
async function settingsFor(
  { group, service }: Asked,
  environment: NodeJS.ProcessEnv,
  given: Databases | undefined,
): Promise<NodeJS.ProcessEnv> {
  const folder = environment['DATABASE_URLS_DIR'];
  const databases = given ?? (folder ? await databasesIn(folder) : undefined);
  if (!databases) {
    if (service === undefined) return environment;
    throw new UsageError('--service needs DATABASE_URLS_DIR, a folder with files DATABASE_URL.<service>.');
  }
  if (group === 'dead-letters' && service === undefined) return environment;
  const DATABASE_URL = databases.get(service ?? (ofMainApi.has(group) ? 'main-api' : ''));
  if (DATABASE_URL === undefined)
    throw new UsageError(`--service is one of ${[...databases.keys()].join(', ')}.`);
  return {
    ...environment,
    ...{ DATABASE_URL, DATABASE_URL_FILE: undefined },
    ...{ AUDIT_DATABASE_URL: databases.get('audit'), AUDIT_DATABASE_URL_FILE: undefined },
  };
}

async function ofDeadLetters(
  asked: AskedOf<'dead-letters'>,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const { action, names, after, limit, consumer, json } = asked;
  const numbers = action === 'list' ? [] : numbersOf(names, action === 'show' ? 1 : undefined);
  const settings = readConfig(natsEnvironment, environment);
  const nats = await connect({
    ...(await natsConnectionOptions(settings, operatorInbox)),
    name: 'sluice-admin',
    timeout: 5_000,
  });
  try {
    const letters = await openDeadLetters(nats, topology(settings.NATS_NAMESPACE));
    if (action === 'list') return listing(await letters.list(after, limit, consumer), json, summaryOf);
    const done: DeadLetter[] = [];
    for (const number of numbers) done.push(await letters[action](number));
    if (action === 'show') return json ? JSON.stringify(done[0], null, 2) : describe({ ...done[0] });
    return done
      .map(({ number, consumer: name }) =>
        action === 'redrive' ? `${number}: ${name} tries it again.` : `${number} is removed.`,
      )
      .join('\n');
  } finally {
    await nats.close();
  }
}

async function ofConsumers({ names }: AskedOf<'consumers'>, environment: NodeJS.ProcessEnv): Promise<string> {
  const [name = '', ...rest] = names;
  const consumer = consumerOf(name);
  const [sequence = 0] = numbersOf(rest, 1);
  return await withDatabase(environment, async (sql) => {
    await requestDeadLetter(sql, consumer, sequence);
    return `Message ${sequence} becomes a dead letter of ${consumer} at the next attempt within a day.`;
  });
}

async function ofOutbox(asked: AskedOf<'outbox'>, environment: NodeJS.ProcessEnv): Promise<string> {
  const { action, names, after, limit, json } = asked;
  const ids = action === 'list' ? [] : numbersOf(names, action === 'show' ? 1 : undefined);
  return await withDatabase(environment, async (sql) => {
    if (action === 'list') return listing(await outboxDeadLetters(sql, after, limit), json, outboxSummaryOf);
    if (action === 'show') {
      const [letter] = await outboxDeadLetters(sql, (ids[0] ?? 0) - 1, 1);
      if (letter?.id !== ids[0]) throw new UsageError(`The outbox has no dead letter ${ids[0]}.`);
      return json ? JSON.stringify(letter, null, 2) : describe({ ...letter });
    }
    const done = await (action === 'redrive' ? sendDeadLettersAgain : dropOutboxDeadLetters)(sql, ids);
    const missing = ids.filter((id) => !done.includes(id));
    if (missing.length > 0) throw new UsageError(`The outbox has no dead letter ${missing.join(', ')}.`);
    return done.map((id) => (action === 'redrive' ? `${id} is sent again.` : `${id} is removed.`)).join('\n');
  });
}

async function ofRestore(
  { action, names, after, limit, json, all }: AskedOf<'restore'>,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  if (action === 'audit-log') return await ofAuditLog(environment);
  const ids = action === 'review' || all ? 'all' : numbersOf(names);
  return await withDatabase(environment, async (sql) => {
    if (action !== 'review') return await decide(sql, action, ids);
    const differences = await listDifferences(sql, after, limit);
    if (json) return JSON.stringify(differences.map(withEffects), null, 2);
    return differences.length === 0 ? 'There are none.' : tableOf(differences);
  });
}

async function ofRegion(
  { action, names, json, reason }: AskedOf<'region'>,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const place = action === 'list' ? undefined : regionOf(names);
  return await withDatabase(environment, async (sql) => {
    if (action !== 'list' && place) return await changeRegion(sql, action, place, reason);
    const regions = await listRegions(sql);
    if (json) return JSON.stringify(regions, null, 2);
    return regions.length === 0 ? 'There are none.' : regionTable(regions);
  });
}

async function ofAuditLog(environment: NodeJS.ProcessEnv): Promise<string> {
  const { AUDIT_DATABASE_URL } = readConfig(auditEnvironment, environment);
  return await withDatabase(environment, (sql) =>
    withDatabase(
      { ...environment, DATABASE_URL: AUDIT_DATABASE_URL, DATABASE_URL_FILE: undefined },
      (audit) => compareAuditLog(sql, audit),
    ),
  );
}

async function withDatabase<T>(environment: NodeJS.ProcessEnv, work: (sql: Sql) => Promise<T>): Promise<T> {
  const url = databaseUrl(readConfig(databaseEnvironment, environment));
  const client = new pg.Client(connectionOptions(url));
  await client.connect();
  try {
    return await work(sqlOf(client));
  } finally {
    await client.end();
  }
}

function listing<Letter>(letters: Letter[], json: boolean, summary: (letter: Letter) => string): string {
  if (json) return JSON.stringify(letters, null, 2);
  return letters.length === 0 ? 'There are none.' : letters.map(summary).join('\n');
}

function summaryOf({ number, consumer, put_aside_at, subject, reason }: DeadLetter): string {
  return `${number}  ${ageOf(new Date(put_aside_at))}  ${consumer}  ${subject}  ${reason}`;
}

function outboxSummaryOf({ id, died_at, subject, reason }: OutboxDeadLetter): string {
  return `${id}  ${ageOf(died_at)}  ${subject}  ${reason}`;
}

const describe = (letter: object) =>
  Object.entries(letter)
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join('\n');

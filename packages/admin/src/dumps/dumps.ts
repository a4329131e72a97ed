import { connectionOptions, databaseUrl } from '@sluice/service';
import pg from 'pg';
import { usageError } from '@sluice/terminal/errors';
import { databasesIn } from '../databases.ts';
import type { Place, settingsOf } from './config.ts';
import { decrypted, encrypted } from './encryption.ts';
import { openStore } from './open-store.ts';
import { dumpOf, readThrough, restoreInto } from './programs.ts';
import type { DumpStore } from './store.ts';

const day = 24 * 60 * 60_000;
const ending = '.dump.age';

export interface DumpsOptions {
  /** a line for each thing that is done */
  say: (line: string) => void;
  signal: AbortSignal;
  now?: () => Date;
}

/**
 * Dumps the databases of these services, or of all. One that fails keeps no other from it.
 * @throws Error which names those that failed
 */
export async function createDumps(
  settings: ReturnType<typeof settingsOf.create>,
  services: readonly string[],
  { say, signal, now = () => new Date() }: DumpsOptions,
): Promise<void> {
  const databases = await addressesOf(settings, services);
  const store = openStore(settings);
  const failed: string[] = [];
  for (const [service, address] of databases) {
    signal.throwIfAborted();
    const name = `${service}/${now().toISOString().replaceAll(/[:.]/g, '-')}${ending}`;
    try {
      // such as one that is being restored: its dump would be the latest, and with time the only one. Errors are those of pg_dump, too.
      if (await isEmpty(address).catch(() => false)) throw new Error('the database is empty');
      const content = await encrypted(dumpOf(address, signal), settings.DUMPS_RECIPIENTS);
      say(`${name}: ${await store.write(name, content, signal)} bytes`);
    } catch (error) {
      say(`${name}: failed: ${messageOf(error)}`);
      failed.push(service);
      continue;
    }
    // the new dump is good all the same
    await removeOld(store, service, now().getTime() - settings.DUMPS_KEEP_DAYS * day, say).catch(
      (error: unknown) => say(`old dumps of ${service} are not removed: ${messageOf(error)}`),
    );
  }
  if (failed.length > 0) throw new Error(`There is no new dump of ${failed.join(', ')}.`);
}

/** The dumps of a service, or of all, oldest first. */
export async function listDumps(
  settings: ReturnType<typeof settingsOf.list>,
  service?: string,
): Promise<string[]> {
  const names = await openStore(settings).list(service === undefined ? '' : `${service}/`);
  return names.filter((name) => timeOf(name) !== undefined);
}

/**
 * Reads a dump to its end: it is whole, and the key opens it.
 * @param wanted the name of the dump, or `latest`
 * @returns its name
 */
export async function verifyDump(
  settings: ReturnType<typeof settingsOf.verify>,
  service: string,
  wanted: string,
): Promise<string> {
  const name = await nameOf(settings, service, wanted);
  await readThrough(await contentOf(settings, name));
  return name;
}

/**
 * Restores a dump into the database of its service, which has to be empty.
 * @param wanted the name of the dump, or `latest`
 * @returns its name
 */
export async function restoreDump(
  settings: ReturnType<typeof settingsOf.restore>,
  service: string,
  wanted: string,
): Promise<string> {
  const name = await nameOf(settings, service, wanted);
  for (const [, address] of await addressesOf(settings, [service])) {
    if (!(await isEmpty(address)))
      throw usageError(
        'The database is not empty: stop its service, and drop and create the database first.',
      );
    await restoreInto(address, await contentOf(settings, name));
  }
  return name;
}

async function nameOf(settings: Place, service: string, wanted: string): Promise<string> {
  const dumps = await listDumps(settings, service);
  const name = wanted === 'latest' ? dumps.at(-1) : dumps.find((one) => one === wanted);
  if (name === undefined)
    throw usageError(
      `There is no such dump of ${service}; the last are ${dumps.slice(-5).join(', ') || 'none'}.`,
    );
  return name;
}

const contentOf = async (settings: ReturnType<typeof settingsOf.verify>, name: string) =>
  await decrypted(await openStore(settings).read(name), settings.DUMPS_IDENTITY);

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function removeOld(
  store: DumpStore,
  service: string,
  before: number,
  say: DumpsOptions['say'],
): Promise<void> {
  for (const name of await store.list(`${service}/`)) {
    const time = timeOf(name);
    if (time === undefined || time >= before) continue;
    await store.remove(name);
    say(`${name}: removed`);
  }
}

/** When a dump was begun, by its name; undefined for what is none. */
function timeOf(name: string): number | undefined {
  const [, date, hours, minutes, seconds, milliseconds] =
    /^[a-z0-9-]+\/(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z\.dump\.age$/.exec(name) ?? [];
  return date === undefined
    ? undefined
    : Date.parse(`${date}T${hours}:${minutes}:${seconds}.${milliseconds}Z`);
}

async function addressesOf(
  {
    DATABASE_URLS_DIR,
    DATABASE_TLS_CA_FILE,
  }: { DATABASE_URLS_DIR: string; DATABASE_TLS_CA_FILE?: string | undefined },
  services: readonly string[],
): Promise<[string, string][]> {
  const databases = await databasesIn(DATABASE_URLS_DIR);
  const unknown = services.filter((service) => !databases.has(service));
  if (unknown.length > 0 || databases.size === 0)
    throw usageError(
      `There is no database of ${unknown.join(', ') || 'any service'}; there are ${[...databases.keys()].join(', ') || 'none'}.`,
    );
  return [...databases]
    .filter(([service]) => services.length === 0 || services.includes(service))
    .map(([service, DATABASE_URL]) => [service, databaseUrl({ DATABASE_URL, DATABASE_TLS_CA_FILE })]);
}

async function isEmpty(address: string): Promise<boolean> {
  const client = new pg.Client(connectionOptions(address));
  await client.connect();
  try {
    const { rows } = await client.query<{ tables: number }>(
      `SELECT count(*)::int AS tables FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
       WHERE relkind IN ('r', 'p', 'v', 'm', 'S') AND nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%'`,
    );
    return rows[0]?.tables === 0;
  } finally {
    await client.end();
  }
}

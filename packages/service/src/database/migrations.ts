import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { sqlState } from './sql.ts';
import { isWithoutTransaction, runStatement, statementsOf } from './statements.ts';

const platformMigrations = new URL('../../migrations/', import.meta.url);

/** The advisory lock that replicas of all releases take. */
const lockId = '3853314791062309107';
const lockPauseMilliseconds = 100;
/**
 * A statement that waits for a table has everybody wait who comes after it. So it waits for this long only, and tries again
 * when those have had their turn.
 */
const lockTimeoutMilliseconds = 1_000;
const retryPauseMilliseconds = 500;
/** about five minutes */
const mostTries = 200;

interface Migration {
  /** of the file without its ending, behind `kit-` (a platform table) or `own-` */
  name: string;
  text: string;
}

export interface Migrated {
  /** what was done here by releases that know more than this one */
  unknown: string[];
}

/**
 * Brings the database up to date: the platform tables of these packages, then the `NNN-title.sql` files of `folder` in order. Each runs once, in a
 * transaction of its own; replicas that start at the same time wait for each other. What a newer release has done is left alone:
 * its migrations add, and take nothing away that this one uses.
 *
 * A file that begins with `-- no transaction` runs statement by statement, each ending with a semicolon at the end of a line: for
 * indexes that are built while everybody works. It is repeated from its beginning when it did not come to its end.
 * @throws Error when a file fails: the database is then as it was before that one, or before that statement; and for a database of a
 *   release before 1.0.0, which is left as it is
 */
export async function migrate(pool: pg.Pool, folder: URL): Promise<Migrated> {
  const migrations = [
    ...(await readMigrations(platformMigrations, 'kit-')),
    ...(await readMigrations(folder, 'own-')),
  ];
  return await locked(pool, async (client) => {
    const done = await recorded(client);
    for (const migration of migrations.filter(({ name }) => !done.has(name))) await run(client, migration);
    const known = new Set(migrations.map(({ name }) => name));
    return { unknown: [...done].filter((name) => !known.has(name)).sort() };
  });
}

/** Runs `work` on a connection whose lock only one replica has. */
async function locked<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    // asked for again and again: a statement that waits keeps a snapshot, for which an index that is built concurrently waits
    while (!(await tryLock(client))) await pause(lockPauseMilliseconds);
    await client.query(`SET statement_timeout = 0; SET lock_timeout = ${lockTimeoutMilliseconds}`);
    return await work(client);
  } finally {
    // the lock goes with the connection, and its settings
    client.release(true);
  }
}

async function tryLock(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [lockId]);
  return rows[0]?.held === true;
}

/** The names of what has been done here, by whichever release. */
async function recorded(client: pg.PoolClient): Promise<Set<string>> {
  await refuseFormerSchema(client);
  await client.query(
    'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, done_at timestamptz NOT NULL DEFAULT now())',
  );
  const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations');
  return new Set(rows.map(({ name }) => name));
}

/** Releases before 1.0.0, and no others, have recorded migrations in a table `migrations`. */
async function refuseFormerSchema(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query("SELECT WHERE to_regclass('migrations') IS NOT NULL");
  if (rows.length > 0)
    throw new Error(
      'The database was made by a release before 1.0.0, which cannot be upgraded: start this release with an empty database',
    );
}

async function run(client: pg.PoolClient, migration: Migration): Promise<void> {
  await (isWithoutTransaction(migration.text)
    ? runStatements(client, migration)
    : untilUnlocked(() => runInTransaction(client, migration)));
}

/** An index that is built concurrently blocks no other statement, so it may wait for as long as it takes. */
async function runStatements(client: pg.PoolClient, { name, text }: Migration): Promise<void> {
  try {
    await client.query('SET lock_timeout = 0');
    for (const statement of statementsOf(text)) await runStatement(client, statement);
    await record(client, name);
  } catch (error) {
    throw new Error(`The migration ${name} failed on its way; it begins again`, { cause: error });
  } finally {
    await client.query(`SET lock_timeout = ${lockTimeoutMilliseconds}`).catch(() => undefined);
  }
}

async function runInTransaction(client: pg.PoolClient, { name, text }: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(text);
    await record(client, name);
    await client.query('COMMIT');
  } catch (error) {
    // where that fails too, the connection's end does it
    await client.query('ROLLBACK').catch(() => undefined);
    throw new Error(`The migration ${name} failed; it has changed nothing`, { cause: error });
  }
}

async function record(client: pg.PoolClient, name: string): Promise<void> {
  await client.query('INSERT INTO schema_migrations (name) VALUES ($1)', [name]);
}

/** Tries again what could not get a lock in time. */
async function untilUnlocked(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return void (await work());
    } catch (error) {
      const { cause } = error as Error;
      if (sqlState(cause) !== '55P03' || tries === mostTries) throw error;
      await pause(retryPauseMilliseconds);
    }
  }
}

async function readMigrations(folder: URL, prefix: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return await Promise.all(
    names.map(async (name) => ({
      name: prefix + name.slice(0, -4),
      text: await readFile(new URL(name, folder), 'utf8'),
    })),
  );
}

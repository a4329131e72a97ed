import { readFile, readdir } from 'node:fs/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type pg from 'pg';

const kitMigrations = new URL('../../migrations/', import.meta.url);

/**
 * Brings the database up to date: the kit's own tables, then the `NNN-title.sql` files of `folder` in order.
 * Each runs once, in one transaction with all others that are due; replicas that start at the same time wait for
 * each other (an advisory lock).
 * @throws Error when a file fails; the database is then as it was
 */
export async function migrate(pool: pg.Pool, folder: URL): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const migrations = {
    ...(await readMigrations(kitMigrations, 'kit-')),
    ...(await readMigrations(folder, 'own-')),
  };
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
    // the kit may get a migration after the service's own have run
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw new Error('A migration failed; nothing was changed', { cause: error });
}

async function readMigrations(folder: URL, prefix: string): Promise<Record<string, Migration>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const entries = names.map(async (name): Promise<[string, Migration]> => {
    const text = await readFile(new URL(name, folder), 'utf8');
    return [
      prefix + name.slice(0, -4),
      { up: async (db: Kysely<unknown>) => void (await sql.raw(text).execute(db)) },
    ];
  });
  return Object.fromEntries(await Promise.all(entries));
}

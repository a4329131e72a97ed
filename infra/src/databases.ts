import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { ServicePlan } from './plan.ts';
import { keptSecret, type SecretsHome } from './secrets.ts';

/** A service, its database, which is called as the role that owns it, and as whom it works there. */
export type DatabaseOwner = Pick<ServicePlan, 'name' | 'writer'> & { database: string };

export const ownsDatabase = (service: ServicePlan): service is ServicePlan & { database: string } =>
  service.database !== undefined;

/** How a service reaches its database. */
export interface DatabaseSettings {
  DATABASE_URL: string;
  DATABASE_WRITER_URL?: string;
}

/**
 * Makes sure that each service has a database of its own, a role that owns it and may enter no other, and the role as which it works
 * where that is another one. Answers the settings of each service, by its name.
 */
export async function ensureDatabases(
  superuserUrl: string,
  home: SecretsHome,
  services: readonly DatabaseOwner[],
): Promise<Map<string, DatabaseSettings>> {
  const pool = new pg.Pool({ connectionString: superuserUrl, max: services.length });
  try {
    await pool.query('revoke connect on database postgres, template1 from public');
    const settings = await Promise.all(
      services.map(async (service): Promise<[string, DatabaseSettings]> => {
        const { name, database, writer } = service;
        await ensureDatabase(pool, database, await passwordOf(home, name));
        if (writer !== undefined) await ensureRole(pool, writer, await writerPasswordOf(home, name));
        return [name, await databaseSettingsOf(home, service, new URL(superuserUrl).host)];
      }),
    );
    return new Map(settings);
  } finally {
    await pool.end();
  }
}

/** A service's settings of its database, by the address of its PostgreSQL. */
export async function databaseSettingsOf(
  home: SecretsHome,
  { name, database, writer }: DatabaseOwner,
  server: string,
): Promise<DatabaseSettings> {
  const address = (role: string, password: string) =>
    `postgresql://${role}:${password}@${server}/${database}`;
  return {
    DATABASE_URL: address(database, await passwordOf(home, name)),
    ...(writer !== undefined && { DATABASE_WRITER_URL: address(writer, await writerPasswordOf(home, name)) }),
  };
}

const newPassword = () => randomBytes(24).toString('base64url');
const passwordOf = (home: SecretsHome, service: string) =>
  keptSecret(home, `${service}.database`, newPassword);
const writerPasswordOf = (home: SecretsHome, service: string) =>
  keptSecret(home, `${service}.database-writer`, newPassword);

/** The role has the name of the database. */
async function ensureDatabase(pool: pg.Pool, database: string, password: string): Promise<void> {
  const name = pg.escapeIdentifier(database);
  await ensureRole(pool, database, password);
  const existing = await pool.query('select from pg_database where datname = $1', [database]);
  if (existing.rowCount === 0) await pool.query(`create database ${name} owner ${name}`);
  await pool.query(`revoke connect on database ${name} from public`);
}

/** What it may do in a database is for the owner to say. */
async function ensureRole(pool: pg.Pool, role: string, password: string): Promise<void> {
  const name = pg.escapeIdentifier(role);
  const existing = await pool.query('select from pg_roles where rolname = $1', [role]);
  if (existing.rowCount === 0) await pool.query(`create role ${name}`);
  await pool.query(`alter role ${name} login password ${pg.escapeLiteral(password)}`);
}

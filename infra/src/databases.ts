import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { ServicePlan } from './plan.ts';
import { keptSecret, type SecretsHome } from './secrets.ts';

/** A service and the name of its database, which is that of the role that owns it as well. */
export type DatabaseOwner = Pick<ServicePlan, 'name' | 'database'>;

/**
 * Makes sure that each service has a database of its own and a role that owns it and may enter no other.
 * Answers the address for each service, by the service's name.
 */
export async function ensureDatabases(
  superuserUrl: string,
  home: SecretsHome,
  services: readonly DatabaseOwner[],
): Promise<Map<string, string>> {
  const pool = new pg.Pool({ connectionString: superuserUrl, max: services.length });
  try {
    await pool.query('revoke connect on database postgres, template1 from public');
    const urls = await Promise.all(
      services.map(async ({ name, database }): Promise<[string, string]> => {
        const password = await passwordOf(home, name);
        await ensureDatabase(pool, database, password);
        return [name, addressOf(superuserUrl, database, password)];
      }),
    );
    return new Map(urls);
  } finally {
    await pool.end();
  }
}

/** Where the database of a service is, by the address of its PostgreSQL. */
export async function databaseUrlOf(
  home: SecretsHome,
  { name, database }: DatabaseOwner,
  server: string,
): Promise<string> {
  return addressOf(`postgresql://${server}`, database, await passwordOf(home, name));
}

const passwordOf = (home: SecretsHome, service: string) =>
  keptSecret(home, `${service}.database`, () => randomBytes(24).toString('base64url'));

/** The role has the name of the database. */
async function ensureDatabase(pool: pg.Pool, database: string, password: string): Promise<void> {
  const name = pg.escapeIdentifier(database);
  const role = await pool.query('select from pg_roles where rolname = $1', [database]);
  if (role.rowCount === 0) await pool.query(`create role ${name}`);
  await pool.query(`alter role ${name} login password ${pg.escapeLiteral(password)}`);

  const existing = await pool.query('select from pg_database where datname = $1', [database]);
  if (existing.rowCount === 0) await pool.query(`create database ${name} owner ${name}`);
  await pool.query(`revoke connect on database ${name} from public`);
}

function addressOf(superuserUrl: string, database: string, password: string): string {
  const url = new URL(superuserUrl);
  url.username = database;
  url.password = password;
  url.pathname = `/${database}`;
  return url.href;
}

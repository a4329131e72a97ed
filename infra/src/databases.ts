import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Home } from './home.ts';
import { host, type ServicePlan } from './plan.ts';
import { keptSecret } from './secrets.ts';

/**
 * Makes sure that each service has a database of its own and a role that owns it and may enter no other.
 * Answers the address for each service, by the service's name.
 */
export async function ensureDatabases(
  superuserUrl: string,
  home: Home,
  services: readonly ServicePlan[],
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

/** Where the database of a service is, of a stack whose PostgreSQL listens on this port. */
export async function databaseUrlOf(
  home: Pick<Home, 'path'>,
  { name, database }: Pick<ServicePlan, 'name' | 'database'>,
  port: number,
): Promise<string> {
  return addressOf(`postgresql://${host}:${port}`, database, await passwordOf(home, name));
}

const passwordOf = (home: Pick<Home, 'path'>, service: string) =>
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

import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** The role as which a service works that does not own its tables, and what that may do. */
export interface Writer {
  /** the address of the database as this role; by it alone the service works once the owner has migrated */
  url: string;
  /** what it may do with each of the service's own tables: `SELECT, UPDATE (name)`; the platform tables go without saying */
  tables: Readonly<Record<string, string>>;
  /** functions of the owner that it may call: `make_log_partition(date)` */
  functions: readonly string[];
  /** the advisory lock under which these change tables: PostgreSQL refuses two changes of one table at the same time */
  lock: string;
}

const anything = 'SELECT, INSERT, UPDATE, DELETE';
/** What these packages do with the platform tables; pruning locks what it deletes, which takes the right to change it. */
const platformPrivileges = {
  outbox: anything,
  outbox_sent: anything,
  outbox_dead_letters: anything,
  inbox: anything,
  message_attempts: anything,
  consumer_progress: anything,
  consumer_turns: anything,
  database_identity: 'SELECT, UPDATE (revision)',
  idempotent_requests: anything,
};

const tries = 10;
const retryMilliseconds = 200;

export interface GrantOptions {
  /** whether a newer release has migrated the database: the rights that it has given are those of its replicas, and stay */
  isNewer?: boolean;
}

/**
 * Gives the writer what it needs and takes what it had besides, as the owner.
 * @throws Error when there is no such role, or it could do more all the same
 */
export async function grantToWriter(
  pool: pg.Pool,
  writer: Writer,
  options: GrantOptions = {},
): Promise<void> {
  for (let left = tries; ; left--) {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await grantAll(client, writer, options);
      await client.query('COMMIT');
      return client.release();
    } catch (error) {
      // what it has begun goes with the connection
      client.release(true);
      // another statement has changed a table at the same time, such as ANALYZE
      if (left === 1 || !/concurrently (updated|deleted)/.test((error as Error).message)) throw error;
    }
    await pause(retryMilliseconds);
  }
}

async function grantAll(
  client: pg.PoolClient,
  { url, lock, ...writer }: Writer,
  { isNewer = false }: GrantOptions,
): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [lock]);
  const role = await roleOf(client, url);
  const name = pg.escapeIdentifier(role);
  const tables = { ...platformPrivileges, ...writer.tables };
  const { rows } = await client.query<{ database: string; schema: string; enters: boolean }>(
    `SELECT current_database() AS database, current_schema() AS schema,
       has_database_privilege($1::name, current_database(), 'CONNECT') AS enters`,
    [role],
  );
  for (const { database, schema, enters } of rows) {
    if (!enters) await client.query(`GRANT CONNECT ON DATABASE ${pg.escapeIdentifier(database)} TO ${name}`);
    await client.query(`GRANT USAGE ON SCHEMA ${pg.escapeIdentifier(schema)} TO ${name}`);
  }
  for (const [table, privileges] of Object.entries(tables)) {
    if (!isNewer) await client.query(`REVOKE ALL ON ${table} FROM ${name}`);
    await client.query(`GRANT ${privileges} ON ${table} TO ${name}`);
  }
  for (const signature of writer.functions)
    await client.query(`GRANT EXECUTE ON FUNCTION ${signature} TO ${name}`);
  if (!isNewer) await refuseMore(client, role, tables);
}

/** @throws Error when the address names none, there is none, or it has the rights of the owner */
async function roleOf(client: pg.PoolClient, url: string): Promise<string> {
  const role = decodeURIComponent(new URL(url).username);
  if (role === '') throw new Error('DATABASE_WRITER_URL names no role');
  const { rows } = await client.query<{ owns: boolean }>(
    "SELECT pg_has_role(oid, current_user, 'MEMBER') AS owns FROM pg_roles WHERE rolname = $1",
    [role],
  );
  const [found] = rows;
  if (!found)
    throw new Error(
      `the role "${role}" of DATABASE_WRITER_URL does not exist: create it first (CREATE ROLE "${role}" LOGIN PASSWORD '…')`,
    );
  if (found.owns)
    throw new Error(
      `the role "${role}" of DATABASE_WRITER_URL has the rights of DATABASE_URL's: it has to be one without`,
    );
  return role;
}

/**
 * Looks at all tables, also at partitions and those that are not named here.
 * @throws Error when the role has rights that were not given here, such as those of a group
 */
async function refuseMore(client: pg.PoolClient, role: string, tables: Writer['tables']): Promise<void> {
  const { rows } = await client.query<{ right: string }>(
    `SELECT format('%s on %s', privilege, relname) AS right
     FROM pg_class LEFT JOIN json_each_text($2::json) ON key = relname,
       unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER']) AS privilege
     WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND relkind IN ('r', 'p', 'v', 'm', 'f')
       AND CASE WHEN coalesce(value, '') ~ (privilege || ' \\(') THEN has_table_privilege($1::name, pg_class.oid, privilege)
         WHEN privilege = ANY (string_to_array(value, ', ')) THEN false
         WHEN privilege IN ('INSERT', 'UPDATE') THEN has_any_column_privilege($1::name, pg_class.oid, privilege)
         ELSE has_table_privilege($1::name, pg_class.oid, privilege) END
     UNION ALL
     SELECT format('CREATE in %s', current_schema()) WHERE has_schema_privilege($1::name, current_schema(), 'CREATE')`,
    [role, JSON.stringify(tables)],
  );
  if (rows.length > 0)
    throw new Error(
      `the role "${role}" of DATABASE_WRITER_URL may do more than it should: ${rows.map(({ right }) => right).join(', ')}`,
    );
}

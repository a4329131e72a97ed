import { grantToWriter, migrate, type Writer } from '@sluice/service';
import { openKysely } from '@sluice/service/kysely';
import { eventually, testDatabase, writerUrl } from '@sluice/testing';
import pg from 'pg';
import winston from 'winston';
import { auditService, entries } from '#test/audit-service.ts';
import { anEvent, record } from '#test/events.ts';
import type { AuditEnvironment } from '../config.ts';
import { makePartition } from '../features/audit-log/log-entries.store.ts';
import type { Tables } from './tables.ts';
import { writerOf } from './writer.ts';

const on = auditService({ replicas: 1 });

/** as the service is */
let writer: pg.Pool;
beforeAll(() => {
  writer = new pg.Pool({ connectionString: on.environment['DATABASE_WRITER_URL'], max: 2 });
});
afterAll(() => writer.end());

/** PostgreSQL's word for a right that is missing */
const denied = { code: '42501' };
const writerWith = (url: string): Writer => {
  const found = writerOf(
    { DATABASE_WRITER_URL: url } as AuditEnvironment,
    winston.createLogger({ silent: true }),
  );
  if (!found) throw new Error('it has an address');
  return found;
};
const roleOf = (url = '') => new URL(url).username;
/** the name of a month's table */
async function partitionOf(): Promise<string> {
  const [partition] = await on.sql<{ name: string }>(
    "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'log_entries'::regclass ORDER BY 1",
  );
  return partition?.name ?? '';
}

test('it works as the lesser role, and is the owner no more once it has migrated', async () => {
  const owner = new URL(on.databaseUrl);
  owner.searchParams.set('application_name', 'owner');
  await on.start({ DATABASE_URL: owner.href });
  const key = await on.key();
  await record(on, anEvent());
  for (const replica of on.replicas) expect((await entries(replica, key)).items).toHaveLength(1);
  await eventually(async () => {
    const [users] = await on.sql(
      `SELECT count(*) FILTER (WHERE application_name = 'owner')::int AS owners,
         count(*) FILTER (WHERE usename = $1) > 0 AS writes
       FROM pg_stat_activity WHERE datname = current_database()`,
      [roleOf(on.environment['DATABASE_WRITER_URL'])],
    );
    expect(users).toEqual({ owners: 0, writes: true });
  });
});

describe('as this role', () => {
  beforeAll(() => record(on, anEvent()));

  test.each([
    "UPDATE log_entries SET type = 'x'",
    'DELETE FROM log_entries',
    'TRUNCATE log_entries',
    'ALTER TABLE log_entries DISABLE TRIGGER ALL',
    'ALTER TABLE log_entries ADD COLUMN x text',
    'ALTER TABLE log_entries DETACH PARTITION %partition',
    'DROP TABLE log_entries',
    'DROP TRIGGER only_added_to ON log_entries',
    'CREATE TRIGGER mine BEFORE INSERT ON log_entries FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
    "UPDATE %partition SET type = 'x'",
    'DELETE FROM %partition',
    'TRUNCATE %partition',
    'DROP TABLE %partition',
    'ALTER TABLE %partition DISABLE TRIGGER ALL',
    'SET session_replication_role = replica',
    'CREATE OR REPLACE FUNCTION refuse_change_of_log() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$',
    'DELETE FROM log_heads',
    'UPDATE log_heads SET tenant_id = 7',
    "INSERT INTO log_anchors (tenant_id, seq, hash) VALUES (1, 1, '')",
    'INSERT INTO deleted_tenants (tenant_id) VALUES (1)',
    "UPDATE deleted_tenants SET keep_until = '2000-01-01'",
    'CREATE TABLE mine (id int)',
    "INSERT INTO schema_migrations (name) VALUES ('own-999-mine')",
  ])('%s is refused', async (statement) => {
    const text = statement.replace('%partition', await partitionOf());
    await expect(writer.query(text)).rejects.toMatchObject(denied);
  });

  test('the log of a tenant is closed only when its deletion stands there, and for a week at least', async () => {
    await expect(writer.query('SELECT close_log(1, 0)')).rejects.toMatchObject({ code: '23000' });
    await record(
      on,
      anEvent({ type: 'tenant_deleted', tenant_id: 9, division: null, data: { name: 'Acme' } }),
    );
    await writer.query('SELECT close_log(9, 0)');
    const days = await on.sql<{ days: number }>(
      'SELECT round(extract(epoch FROM keep_until - now()) / 86400)::int AS days FROM deleted_tenants WHERE tenant_id = 9',
    );
    // the first word counts
    expect(days).toEqual([{ days: 365 }]);
  });

  test("no temporary table takes the place of one that the owner's functions look at", async () => {
    const client = await writer.connect();
    try {
      await client.query(
        "CREATE TEMPORARY TABLE log_entries AS SELECT 1::bigint AS tenant_id, 'tenant_deleted' AS type",
      );
      await expect(client.query('SELECT close_log(1, 0)')).rejects.toMatchObject({ code: '23000' });
    } finally {
      client.release(true);
    }
  });
});

describe('a service does not start', () => {
  let owner: pg.Pool;
  beforeAll(() => {
    owner = new pg.Pool({ connectionString: on.databaseUrl, max: 1 });
  });
  afterAll(() => owner.end());
  const grant = (url: string) => grantToWriter(owner, writerWith(url));

  test('as a role that does not exist', async () => {
    const url = new URL(on.databaseUrl);
    url.username = 'sluice_nobody';
    await expect(grant(url.href)).rejects.toThrow(/"sluice_nobody" .* does not exist: create it first/);
  });

  test('as the owner', async () => {
    await expect(grant(on.databaseUrl)).rejects.toThrow(/has the rights of DATABASE_URL's/);
  });

  test.each([
    ['DELETE ON log_entries', 'DELETE on log_entries'],
    ['UPDATE (type) ON log_entries', 'UPDATE on log_entries'],
    ['DELETE ON %partition', 'DELETE on %partition'],
    ['UPDATE ON log_heads', 'UPDATE on log_heads'],
    ['INSERT ON schema_migrations', 'INSERT on schema_migrations'],
    ['CREATE ON SCHEMA public', 'CREATE in public'],
  ])('as a role that could do more all the same: %s', async (right, reported) => {
    const partition = await partitionOf();
    const said = right.replace('%partition', partition);
    const url = on.environment['DATABASE_WRITER_URL'] ?? '';
    await on.sql(`GRANT ${said} TO PUBLIC`);
    await expect(grant(url)).rejects.toThrow(
      `more than it should: ${reported.replace('%partition', partition)}`,
    );
    await on.sql(`REVOKE ${said} FROM PUBLIC`);
    await grant(url);
  });
});

test('each table is one whose rights are said, rights of before are taken, and replicas may say so while others make months', async () => {
  const database = await testDatabase();
  const pool = new pg.Pool({ connectionString: database.url });
  const url = await writerUrl(database.url);
  await migrate(pool, new URL('../../migrations/', import.meta.url));
  const role = roleOf(url);
  await pool.query(`GRANT ALL ON log_entries TO ${role}`);
  const given = writerWith(url);
  const months = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2020, month)));
  await Promise.all([
    ...[1, 2, 3, 4].map(() => grantToWriter(pool, given)),
    ...months.map((month) => makePartition(openKysely<Tables>(pool), month)),
  ]);
  const { rows } = await pool.query<{ name: string; readable: boolean; deletable: boolean }>(
    `SELECT relname AS name, has_table_privilege($1::name, oid, 'SELECT') AS readable,
       has_table_privilege($1::name, oid, 'DELETE') AS deletable
     FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    [role],
  );
  const unsaid = rows.filter(({ readable }) => !readable).map(({ name }) => name);
  // the feeds of changes are of other services
  expect(unsaid.sort()).toEqual(['object_changes', 'schema_migrations']);
  expect(rows.find(({ name }) => name === 'log_entries')).toMatchObject({ deletable: false });
  await pool.end();
  await database.drop();
});

test('rights that a newer release has given are left to its replicas', async () => {
  const owner = new pg.Pool({ connectionString: on.databaseUrl, max: 1 });
  const given = writerWith(on.environment['DATABASE_WRITER_URL'] ?? '');
  const role = roleOf(given.url);
  const mayDelete = async () => {
    const [row] = await on.sql<{ may: boolean }>(
      "SELECT has_table_privilege($1::name, 'tenant_features', 'DELETE') AS may",
      [role],
    );
    return row?.may;
  };
  await on.sql(`GRANT DELETE ON tenant_features TO ${role}`);
  await grantToWriter(owner, given, { isNewer: true });
  expect(await mayDelete()).toBe(true);
  await grantToWriter(owner, given);
  expect(await mayDelete()).toBe(false);
  await owner.end();
});

test('without such a role the service works as the owner, and says so', () => {
  const said: string[] = [];
  const log = { warn: (text: string) => said.push(text) } as never;
  expect(writerOf({} as AuditEnvironment, log)).toBeUndefined();
  expect(said).toEqual([expect.stringContaining('DATABASE_WRITER_URL is not set')]);
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually, testDatabase, testFolder, type TestDatabase } from '@sluice/testing';
import pg from 'pg';
import { quiet } from '../widget-service.ts';
import { migrate, createPool, unlimited } from '@sluice/service';

let database: TestDatabase;
let pool: pg.Pool;
let folder: string;

beforeEach(async () => {
  database = await testDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  folder = await testFolder();
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const write = (name: string, text: string) => writeFile(join(folder, `${name}.sql`), text);
const migrated = (connections = pool) => migrate(connections, pathToFileURL(`${folder}/`));
const tables = async () => {
  const { rows } = await pool.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  return rows.map(({ name }) => name);
};
const recorded = async () =>
  (await pool.query<{ name: string }>('SELECT name FROM schema_migrations')).rows.map(({ name }) => name);

test('each file runs once, also one with a number below others that have run', async () => {
  await write('002-cups', 'CREATE TABLE cups ()');
  expect(await migrated()).toEqual({ unknown: [] });
  await write('001-plates', 'CREATE TABLE plates ()');
  await migrated();
  await migrated();
  expect(await tables()).toEqual(expect.arrayContaining(['cups', 'plates', 'outbox']));
});

test('what a newer release has recorded is reported and left alone', async () => {
  await migrated();
  await pool.query("INSERT INTO schema_migrations (name) VALUES ('own-099-saucers')");
  await write('001-plates', 'CREATE TABLE plates ()');
  expect(await migrated()).toEqual({ unknown: ['own-099-saucers'] });
  expect(await tables()).toContain('plates');
});

test('the database of a release before 1.0.0 is refused, and left as it is', async () => {
  await pool.query('CREATE TABLE migrations (name text)');
  await expect(migrated()).rejects.toThrow('made by a release before 1.0.0');
  expect(await tables()).toEqual(['migrations']);
});

test('replicas that start at the same time wait for each other', async () => {
  await write('001-plates', 'SELECT pg_sleep(0.05); CREATE TABLE plates ()');
  const pools = Array.from({ length: 4 }, () => new pg.Pool({ connectionString: database.url, max: 1 }));
  await Promise.all(pools.map(migrated));
  await Promise.all(pools.map((each) => each.end()));
  expect(await recorded()).toContain('own-001-plates');
});

test('a file that fails says why and changes nothing; what was before it stays, and the next start goes on', async () => {
  await write('001-plates', 'CREATE TABLE plates ()');
  await write('002-broken', 'CREATE TABLE half (); CREATE TABLE plates ()');
  await expect(migrated()).rejects.toMatchObject({
    message: 'The migration own-002-broken failed; it has changed nothing',
    cause: { message: 'relation "plates" already exists' },
  });
  expect(await tables()).toContain('plates');
  expect(await tables()).not.toContain('half');
  await write('002-broken', 'CREATE TABLE half ()');
  await migrated();
  expect(await tables()).toContain('half');
});

describe('a file without a transaction', () => {
  const index = 'CREATE INDEX CONCURRENTLY IF NOT EXISTS plates_by_size ON plates (size);\n';
  const isValid = async () => {
    const { rows } = await pool.query<{ indisvalid: boolean }>(
      "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('plates_by_size')",
    );
    return rows;
  };

  beforeEach(() => write('001-plates', 'CREATE TABLE plates (size integer, colour text)'));

  test('builds indexes while everybody works', async () => {
    await migrated();
    await write(
      '002-indexes',
      `-- no transaction\n-- by size; and by colour\n${index}CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS plates_by_colour\n  ON plates (colour);\n`,
    );
    const writer = await pool.connect();
    await writer.query('BEGIN; INSERT INTO plates VALUES (1)');
    const building = migrated();
    // the build waits for the writer, and nobody for the build
    await eventually(async () => expect(await isValid()).toEqual([{ indisvalid: false }]));
    await pool.query('INSERT INTO plates VALUES (2)');
    await writer.query('COMMIT');
    writer.release();
    await building;
    expect(await isValid()).toEqual([{ indisvalid: true }]);
    expect(await recorded()).toContain('own-002-indexes');
  });

  test('is repeated after a kill, and builds anew what was left half built', async () => {
    await migrated();
    await write(
      '002-indexes',
      `-- no transaction\n${index}ALTER TABLE plates ADD COLUMN IF NOT EXISTS weight int;\n`,
    );
    const writer = await pool.connect();
    await writer.query('BEGIN; INSERT INTO plates VALUES (1)');
    const killed = createPool(database.url, 1, quiet, unlimited);
    const building = migrated(killed);
    await eventually(async () => expect(await isValid()).toEqual([{ indisvalid: false }]));
    await pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONC%' AND datname = current_database()",
    );
    await expect(building).rejects.toThrow(
      'The migration own-002-indexes failed on its way; it begins again',
    );
    await writer.query('COMMIT');
    writer.release();
    await killed.end();
    expect(await isValid()).toEqual([{ indisvalid: false }]);
    await migrated();
    expect(await isValid()).toEqual([{ indisvalid: true }]);
  });

  test('has to be one that can be repeated', async () => {
    await write('002-indexes', `-- no transaction\n${index.replace('IF NOT EXISTS ', '')}`);
    await expect(migrated()).rejects.toMatchObject({
      cause: { message: expect.stringContaining('IF NOT EXISTS') as unknown },
    });
  });
});

test('a migration that waits for a table lets those through that come after it', async () => {
  await write('001-plates', 'CREATE TABLE plates (size integer)');
  await migrated();
  await write('002-colours', 'ALTER TABLE plates ADD COLUMN colour text');
  const reader = await pool.connect();
  await reader.query('BEGIN; SELECT FROM plates');
  const changing = migrated();
  await eventually(async () =>
    expect(
      (
        await pool.query(
          "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
        )
      ).rowCount,
    ).toBe(1),
  );
  // it would wait behind the migration, which waits for the reader
  await pool.query('SELECT size FROM plates');
  await reader.query('COMMIT');
  reader.release();
  await changing;
  expect((await pool.query('SELECT colour FROM plates')).rows).toEqual([]);
});

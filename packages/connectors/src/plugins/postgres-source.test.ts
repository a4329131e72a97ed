import type { ConfigValue } from '@sluice/contracts';
import { eventually, testDatabase, type TestDatabase } from '@sluice/testing';
import pg from 'pg';
import { configOf, testContext, unending } from '../../test/fixtures/plugin.ts';
import { postgresConfig } from '../../test/fixtures/postgres.ts';
import { ConfigRefused, type IncomingRecord, type Source } from '../plugin.ts';
import { postgresSource } from './postgres-source.ts';

let database: TestDatabase;
let pool: pg.Pool;
const open: Source[] = [];
let tables = 0;

beforeAll(async () => {
  database = await testDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 4 });
  pool.on('error', () => undefined);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((source) => source.close()));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function aTable(columns = 'id bigserial PRIMARY KEY, value text'): Promise<string> {
  const table = `rows_${++tables}`;
  await pool.query(`CREATE TABLE ${table} (${columns})`);
  return table;
}

async function aSource(
  table: string,
  position: string | null = null,
  values: Record<string, ConfigValue> = {},
) {
  const config = configOf(postgresSource, {
    ...postgresConfig(database.url),
    ...{ table, interval: '100ms' },
    ...values,
  });
  const source = await postgresSource.open(config, await testContext(), position);
  open.push(source);
  return source;
}

const insert = async (table: string, values: readonly string[], by: pg.Pool | pg.PoolClient = pool) => {
  await by.query(`INSERT INTO ${table} (value) SELECT unnest($1::text[])`, [values]);
};
const contentOf = ({ payload }: IncomingRecord) =>
  JSON.parse(Buffer.from(payload).toString()) as { value: string };

/** Reads until there are so many, of as many batches as it takes. */
async function take(source: Source, count: number): Promise<{ records: IncomingRecord[]; position: string }> {
  const records: IncomingRecord[] = [];
  let position = '';
  while (records.length < count) {
    const batch = await source.read(unending());
    records.push(...batch.records);
    ({ position } = batch);
  }
  return { records, position };
}

test('rows are read in order with all their columns, and once', async () => {
  const table = await aTable('id bigserial PRIMARY KEY, value text, big bigint, at timestamptz, more jsonb');
  await pool.query(
    `INSERT INTO ${table} (value, big, at, more) VALUES ('a', 9007199254740993, '2026-01-01T00:00:00Z', '{"x": [1.50]}')`,
  );
  await insert(table, ['b', 'c']);
  const source = await aSource(table);
  const { records } = await take(source, 3);
  expect(Buffer.from(records[0]?.payload ?? []).toString()).toBe(
    '{"id":1,"value":"a","big":9007199254740993,"at":"2026-01-01T00:00:00+00:00","more":{"x": [1.50]}}',
  );
  expect(records.map((record) => contentOf(record).value)).toEqual(['a', 'b', 'c']);
  await insert(table, ['d']);
  expect((await take(source, 1)).records.map((record) => contentOf(record).value)).toEqual(['d']);
});

test('a row that commits late is not passed over, though those behind it have been there before', async () => {
  const table = await aTable();
  const source = await aSource(table);
  const late = await pool.connect();
  await late.query('BEGIN');
  await insert(table, ['late'], late);
  await insert(table, ['early']);
  const settled = { is: false };
  const reading = take(source, 2).finally(() => (settled.is = true));
  // it looks, finds nothing that is settled, and waits
  await eventually(async () => {
    const { rows } = await pool.query(
      `SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'sluice %' AND datname = current_database() AND query = 'ROLLBACK'`,
    );
    expect(rows).toHaveLength(1);
  });
  expect(settled.is).toBe(false);
  await late.query('COMMIT');
  late.release();
  const { records } = await reading;
  expect(records.map((record) => contentOf(record).value)).toEqual(['late', 'early']);
});

test('a row whose key was drawn long before it was written is not passed over', async () => {
  const table = await aTable();
  const { rows } = await pool.query<{ id: string }>(`SELECT nextval('${table}_id_seq') AS id`);
  await insert(table, ['first']);
  const source = await aSource(table);
  await take(source, 1);
  await pool.query(`INSERT INTO ${table} (id, value) VALUES ($1, 'smaller')`, [rows[0]?.id]);
  const { records } = await take(source, 1);
  expect(records.map(contentOf)).toEqual([{ id: 1, value: 'smaller' }]);
});

test('a row that is changed is read again, as another record', async () => {
  const table = await aTable();
  await insert(table, ['a', 'b']);
  const source = await aSource(table);
  const { records: before } = await take(source, 2);
  await pool.query(`UPDATE ${table} SET value = 'A' WHERE value = 'a'`);
  const { records: after } = await take(source, 1);
  expect(after.map((record) => contentOf(record).value)).toEqual(['A']);
  expect(before.map(({ id }) => id)).not.toContain(after[0]?.id);
});

test('after a crash it goes on behind the position, with the same ids', async () => {
  const table = await aTable();
  await insert(
    table,
    Array.from({ length: 25 }, (_, n) => `v${n}`),
  );
  const first = await aSource(table, null, { batch_rows: 10 });
  const kept = await first.read(unending());
  const lost = await first.read(unending());
  await first.close();
  const second = await aSource(table, kept.position, { batch_rows: 10 });
  const again = await second.read(unending());
  expect(again).toEqual(lost);
  const rest = await second.read(unending());
  const all = [...kept.records, ...again.records, ...rest.records];
  expect(all.map((record) => contentOf(record).value)).toEqual(Array.from({ length: 25 }, (_, n) => `v${n}`));
});

test('10,000 rows that many write at once are read once each, across crashes', async () => {
  const table = await aTable();
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let batch = 0; batch < 25; batch++)
      await insert(
        table,
        Array.from({ length: 100 }, (_, n) => `${writer}/${batch}/${n}`),
      );
  });
  const seen = new Map<string, number>();
  let position: string | null = null;
  for (let batches = 1; seen.size < 10_000; batches++) {
    const source = await aSource(table, position, { batch_rows: 700 });
    for (let more = 0; more < 3 && seen.size < 10_000; more++) {
      const batch = await source.read(unending());
      ({ position } = batch);
      for (const { id } of batch.records) seen.set(id, (seen.get(id) ?? 0) + 1);
    }
    // read, but its position was not kept
    if (seen.size < 10_000) await source.read(unending());
    await source.close();
    expect(batches).toBeLessThan(200);
  }
  await Promise.all(writers);
  expect(seen.size).toBe(10_000);
  expect([...seen.values()].every((times) => times === 1)).toBe(true);
});

test('with what is new only, nothing that is written after the first look is lost', async () => {
  const table = await aTable();
  await insert(table, ['old']);
  // while an older transaction runs, of any database of the server, the row counts as new
  await eventually(async () => {
    const { rows } = await pool.query(
      `SELECT FROM ${table} WHERE xmin::text::numeric >= pg_snapshot_xmin(pg_current_snapshot())::text::numeric`,
    );
    expect(rows).toEqual([]);
  });
  const source = await aSource(table, null, { start: 'new' });
  const begun = await source.read(unending());
  expect(begun.records).toEqual([]);
  await source.close();
  await insert(table, ['new']);
  const { records } = await take(await aSource(table, begun.position, { start: 'new' }), 1);
  expect(records.map((record) => contentOf(record).value)).toEqual(['new']);
});

test('some columns, a key of several, and a table in a schema', async () => {
  await pool.query(
    `CREATE SCHEMA IF NOT EXISTS shop; CREATE TABLE shop.lines (sku text NOT NULL, at date NOT NULL, secret text, UNIQUE (at, sku))`,
  );
  await pool.query(
    `INSERT INTO shop.lines VALUES ('b/c d', '2026-01-01', 'x'), ('a', '2026-01-01', 'y'), ('a', '2025-01-01', 'z')`,
  );
  const source = await aSource('shop.lines', null, { columns: ['sku'], batch_rows: 1 });
  const { records, position } = await take(source, 3);
  expect(records.map(contentOf)).toEqual([{ sku: 'a' }, { sku: 'a' }, { sku: 'b/c d' }]);
  expect(records[2]?.id).toContain('shop.lines/2026-01-01/b%2Fc%20d@');
  expect(JSON.parse(position)).toMatchObject({ k: ['2026-01-01', 'b/c d'] });
});

test('by a column of the transaction, over its index', async () => {
  const table = await aTable(
    'id bigserial PRIMARY KEY, value text, written xid8 NOT NULL DEFAULT pg_current_xact_id()',
  );
  await pool.query(`CREATE INDEX ON ${table} (written, id)`);
  await insert(table, ['a', 'b']);
  const values = { transaction_column: 'written', columns: ['value'] };
  const first = await take(await aSource(table, null, values), 2);
  await insert(table, ['c']);
  const next = await take(await aSource(table, first.position, values), 1);
  expect([...first.records, ...next.records].map((record) => contentOf(record).value)).toEqual([
    'a',
    'b',
    'c',
  ]);
  await expect(aSource(table, null, { transaction_column: 'value' })).rejects.toThrow(ConfigRefused);
});

test('a row that is too large stops it, and is not passed over', async () => {
  const table = await aTable();
  await insert(table, ['small', 'x'.repeat(3_000)]);
  const source = await aSource(table, null, { max_row: 2_048 });
  await expect(source.read(unending())).rejects.toThrow(/has 30\d\d bytes, more than max_row permits/);
  const { records } = await take(await aSource(table), 2);
  expect(records).toHaveLength(2);
});

test('a table without a key, or that is not there, is told', async () => {
  const table = await aTable('value text');
  await expect(aSource(table)).rejects.toThrow('neither a primary key nor a unique index');
  await expect(aSource('nowhere')).rejects.toThrow('does not exist');
});

test('it waits until it is to stop, and reads on after its connection was cut', async () => {
  const table = await aTable();
  const source = await aSource(table);
  const stopping = new AbortController();
  const waiting = source.read(stopping.signal);
  stopping.abort(new Error('to stop'));
  await expect(waiting).rejects.toThrow();
  await insert(table, ['a']);
  await take(source, 1);
  await pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'sluice %'`,
  );
  await insert(table, ['b']);
  const { records } = await eventually(() => take(source, 1));
  expect(records.map((record) => contentOf(record).value)).toEqual(['b']);
});

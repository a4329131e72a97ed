import { rm } from 'node:fs/promises';
import type { ConfigValue } from '@sluice/contracts';
import { eventually, testDatabase, type TestDatabase } from '@sluice/testing';
import pg from 'pg';
import { aMessage, configOf, testContext, unending } from '../../test/fixtures/plugin.ts';
import { postgresConfig } from '../../test/fixtures/postgres.ts';
import { connectorDestinations as destinations } from '../destination-guard.ts';
import { ConfigRefused, type Sink } from '../plugin.ts';
import { postgresSink } from './postgres-sink.ts';

let database: TestDatabase;
let pool: pg.Pool;
const open: Sink[] = [];
let tables = 0;

beforeAll(async () => {
  database = await testDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 3 });
  pool.on('error', () => undefined);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((sink) => sink.close()));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function aSink(values: Record<string, ConfigValue> = {}): Promise<{ sink: Sink; table: string }> {
  const table = `messages_${++tables}`;
  const config = configOf(postgresSink, {
    ...postgresConfig(database.url),
    ...{ table, create_table: true },
    ...values,
  });
  const sink = await postgresSink.open(config, await testContext());
  open.push(sink);
  return { sink, table };
}

const rowsOf = async (table: string, columns = '*') =>
  (await pool.query<Record<string, unknown>>(`SELECT ${columns} FROM ${table} ORDER BY id`)).rows;

describe('what becomes of messages', () => {
  test('each is a row, and stays one when it comes again', async () => {
    const { sink, table } = await aSink();
    const messages = [aMessage({ n: 1 }, { id: 'a' }), aMessage('text', { id: 'b' })];
    expect(await sink.write(messages, unending())).toEqual([]);
    expect(await sink.write([...messages, aMessage(null, { id: 'c' })], unending())).toEqual([]);
    expect(await rowsOf(table)).toEqual([
      { id: 'a', topic: 'orders.new', payload: { n: 1 }, published_at: new Date('2026-03-01T12:00:00Z') },
      { id: 'b', topic: 'orders.new', payload: 'text', published_at: new Date('2026-03-01T12:00:00Z') },
      { id: 'c', topic: 'orders.new', payload: null, published_at: new Date('2026-03-01T12:00:00Z') },
    ]);
  });

  test('values of the payload become what their columns are, without losing a digit', async () => {
    const table = `typed_${++tables}`;
    await pool.query(
      `CREATE TABLE ${table} (id text UNIQUE, amount numeric, big bigint, tags text[], born timestamptz, address jsonb,
         raw bytea, made timestamptz DEFAULT '2020-01-01T00:00:00Z')`,
    );
    const paths = ['amount', 'big', 'tags', 'born', 'address'].map((name) => `${name}=payload.${name}`);
    const { sink } = await aSink({ table, columns: ['id=id', ...paths, 'raw=payload_bytes'] });
    const payload =
      '{"amount": 12345678901234567890.123456789, "big": 9007199254740993, "tags": ["a", "b,c"], "born": "2026-01-02T03:04:05Z", "address": {"city": "Delft"}}';
    await sink.write([aMessage(Buffer.from(payload), { id: 'a' })], unending());
    expect(await rowsOf(table, 'id, amount, big::text, tags, born, address, raw, made')).toEqual([
      {
        id: 'a',
        amount: '12345678901234567890.123456789',
        big: '9007199254740993',
        tags: ['a', 'b,c'],
        born: new Date('2026-01-02T03:04:05Z'),
        address: { city: 'Delft' },
        raw: Buffer.from(payload),
        made: new Date('2020-01-01T00:00:00Z'),
      },
    ]);
  });

  test('bytes that are no text go into bytea', async () => {
    const { sink, table } = await aSink({ columns: ['id=id', 'payload=payload_bytes'] });
    await sink.write([aMessage(Buffer.from([0, 0xff]), { id: 'a' })], unending());
    expect(await rowsOf(table)).toEqual([{ id: 'a', payload: Buffer.from([0, 0xff]) }]);
  });

  test('names that SQL has a meaning for are names', async () => {
    const table = `"Sel$ect_${++tables}"`;
    await pool.query(`CREATE TABLE ${table} ("order" text PRIMARY KEY, "where" jsonb)`);
    const { sink } = await aSink({
      table: table.slice(1, -1),
      columns: ['order=id', `where=payload.a'b."c\\.d}`],
      id_column: 'order',
    });
    await sink.write([aMessage({ "a'b": { '"c\\': { 'd}': 7 } } }, { id: 'x' })], unending());
    expect((await pool.query(`SELECT * FROM ${table}`)).rows).toEqual([{ order: 'x', where: 7 }]);
  });

  test('10,000 in batches, half of them twice', async () => {
    const { sink, table } = await aSink();
    const all = Array.from({ length: 10_000 }, (_, n) => aMessage({ n }, { id: `m${n}` }));
    for (let at = 0; at < all.length; at += 500)
      await sink.write(all.slice(Math.max(0, at - 250), at + 500), unending());
    const { rows } = await pool.query(
      `SELECT count(*)::int AS rows, count(DISTINCT id)::int AS ids FROM ${table}`,
    );
    expect(rows).toEqual([{ rows: 10_000, ids: 10_000 }]);
  });
});

describe('what is rejected', () => {
  test('rows that the table refuses, and no others', async () => {
    const table = `strict_${++tables}`;
    await pool.query(`CREATE TABLE ${table} (id text PRIMARY KEY, n int NOT NULL CHECK (n < 100))`);
    const { sink } = await aSink({ table, columns: ['id=id', 'n=payload.n'] });
    const payloads = [{ n: 1 }, { n: 'many' }, { n: 2 }, {}, { n: 100 }, { n: 3 }];
    const messages = payloads.map((payload, place) => aMessage(payload, { id: `m${place}` }));
    expect(await sink.write(messages, unending())).toEqual([
      { id: 'm1', reason: 'invalid input syntax for type integer: "many" (22P02)' },
      { id: 'm3', reason: expect.stringContaining('null value in column "n"') as string },
      { id: 'm4', reason: expect.stringContaining('violates check constraint') as string },
    ]);
    expect(await rowsOf(table)).toEqual([
      { id: 'm0', n: 1 },
      { id: 'm2', n: 2 },
      { id: 'm5', n: 3 },
    ]);
  });

  test('what PostgreSQL has no text for', async () => {
    const { sink, table } = await aSink();
    const rejected = await sink.write(
      [
        aMessage({ a: '\u0000' }, { id: 'zero' }),
        aMessage(Buffer.from([0xff]), { id: 'bytes' }),
        aMessage(1, { id: 'good' }),
      ],
      unending(),
    );
    expect(rejected.map(({ id }) => id).sort()).toEqual(['bytes', 'zero']);
    expect(await rowsOf(table, 'id')).toEqual([{ id: 'good' }]);
  });

  test('JSON that is nested without end', async () => {
    const { sink } = await aSink();
    const deep = Buffer.from(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    const rejected = await sink.write(
      [aMessage(deep, { id: 'deep' }), aMessage(1, { id: 'flat' })],
      unending(),
    );
    expect(rejected).toEqual([{ id: 'deep', reason: expect.stringContaining('54001') as string }]);
  });
});

describe('a server that is not as it should be', () => {
  test('a table that is gone fails the batch, and takes it once it is back', async () => {
    const { sink, table } = await aSink();
    await pool.query(`ALTER TABLE ${table} RENAME TO elsewhere`);
    await expect(sink.write([aMessage(1, { id: 'a' })], unending())).rejects.toThrow('does not exist');
    await pool.query(`ALTER TABLE elsewhere RENAME TO ${table}`);
    expect(await sink.write([aMessage(1, { id: 'a' })], unending())).toEqual([]);
  });

  test('a connection that is cut is made again', async () => {
    const { sink, table } = await aSink();
    await sink.write([aMessage(1, { id: 'a' })], unending());
    await pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'sluice %'`,
    );
    await eventually(() => sink.write([aMessage(2, { id: 'b' })], unending()));
    expect(await rowsOf(table, 'id')).toEqual([{ id: 'a' }, { id: 'b' }]);
  });

  test('one that hangs is left when time is up, and nothing of the batch is kept', async () => {
    const { sink, table } = await aSink();
    const locker = await pool.connect();
    await locker.query(`BEGIN; LOCK TABLE ${table}`);
    const ending = new AbortController();
    const written = sink.write([aMessage(1, { id: 'a' })], ending.signal);
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually(async () => expect((await pool.query(waiting)).rows).toHaveLength(1));
    ending.abort(new Error('time is up'));
    await expect(written).rejects.toThrow('time is up');
    await locker.query('ROLLBACK');
    locker.release();
    expect(await sink.write([aMessage(1, { id: 'a' })], unending())).toEqual([]);
    expect(await rowsOf(table, 'id')).toEqual([{ id: 'a' }]);
  });

  test('one that is away, or does not know the password, is tried again', async () => {
    await expect(aSink({ port: 1 })).rejects.toThrow('ECONNREFUSED');
    const wrong: unknown = await aSink({ password: 'wr0ng-s3cret' }).catch((error: unknown) => error);
    expect(wrong).not.toBeInstanceOf(ConfigRefused);
    expect(String(wrong)).toContain('password authentication failed');
    expect(String(wrong)).not.toContain('wr0ng-s3cret');
  });

  test('one without TLS is not spoken to in clear', async () => {
    await expect(aSink({ tls: 'verify' })).rejects.toThrow('does not support SSL');
  });
});

describe('a configuration that can never work', () => {
  test.each<[Record<string, ConfigValue>, string]>([
    [{ columns: ['id=id', 'payload'] }, 'no source'],
    [{ columns: ['id=id', 'x=constructor'] }, 'no source'],
    [{ columns: ['id=id', 'topic.x=topic'] }, 'no name'],
    [{ columns: ['id=id', 'x=topic.y'] }, 'no source'],
    [{ columns: ['id=id', 'x"; DROP TABLE y=topic'] }, 'no name'],
    [{ id_column: 'missing' }, 'not among columns'],
    [{ host: '/var/run/postgresql', create_table: false }, ''],
  ])('%j', async (values, message) => {
    const refused: unknown = await aSink(values).catch((error: unknown) => error);
    if (message === '') return expect(String(refused)).toContain('TCP only');
    expect(refused).toBeInstanceOf(ConfigRefused);
    expect((refused as Error).message).toContain(message);
  });

  test('a table where repetitions would not be noticed is refused, unless nobody minds', async () => {
    const table = `plain_${++tables}`;
    await pool.query(`CREATE TABLE ${table} (id text, payload jsonb)`);
    const values = { table, columns: ['id=id', 'payload=payload'] };
    await expect(aSink(values)).rejects.toThrow('has no unique index on id');
    const { sink } = await aSink({ ...values, id_column: '' });
    for (let again = 0; again < 2; again++) await sink.write([aMessage(1, { id: 'a' })], unending());
    expect(await rowsOf(table, 'id')).toEqual([{ id: 'a' }, { id: 'a' }]);
  });

  test("the node's own addresses are refused", async () => {
    const context = await testContext({ destinations: destinations({ allowed: [], refused: [] }) });
    const config = (host: string) =>
      configOf(postgresSink, { ...postgresConfig(database.url), table: 't', host });
    await expect(postgresSink.open(config('127.0.0.1'), context)).rejects.toThrow(ConfigRefused);
    await expect(postgresSink.open(config('localhost'), context)).rejects.toThrow(
      'may not connect to localhost',
    );
    await rm(context.folder, { recursive: true });
  });
});

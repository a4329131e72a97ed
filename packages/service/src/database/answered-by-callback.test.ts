import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { testDatabase, type TestDatabase } from '@sluice/testing';
import pg from 'pg';
import winston from 'winston';
import { createPool } from './postgres.ts';

const quiet = winston.createLogger({ silent: true });

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.url, 1, quiet);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

test('a statement is answered in every form of the call', async () => {
  const client = await pool.connect();
  expect((await client.query('SELECT 1 AS n')).rows).toEqual([{ n: 1 }]);
  const asked = { text: 'SELECT $1::int AS n', values: [2] };
  // the same object twice
  for (let time = 0; time < 2; time++) expect((await client.query(asked)).rows).toEqual([{ n: 2 }]);
  const called = await new Promise((resolve, reject) => {
    client.query('SELECT $1::int AS n', [3], (error, { rows }) => (error ? reject(error) : resolve(rows)));
  });
  expect(called).toEqual([{ n: 3 }]);
  const submitted = client.query(new pg.Query('SELECT 4 AS n'));
  expect(await new Promise((resolve) => submitted.on('row', resolve))).toEqual({ n: 4 });
  client.release();
});

async function askNonsense() {
  await pool.query('SELECT nonsense');
}

test('a failure says where it was asked', async () => {
  const failure = await askNonsense().catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: '42703' });
  expect((failure as Error).stack).toContain('askNonsense');
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void;
const oldBytes = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? NaN;

test('rows without a reference are gone with the next quick collection', async () => {
  const read = async () => {
    const client = await pool.connect();
    const { rowCount } = await client.query(
      'SELECT n, md5(n::text) AS text FROM generate_series(1, 5000) AS n',
    );
    client.release();
    return rowCount;
  };
  await read();
  const growth = async () => {
    const before = oldBytes();
    for (let time = 0; time < 100; time++) {
      expect(await read()).toBe(5_000);
      collect({ type: 'minor' });
    }
    return (oldBytes() - before) / 2 ** 20;
  };
  // of rows of about half a MiB each time, which would be 50 in every series; other work of this process may add to one
  expect(Math.min(await growth(), await growth(), await growth())).toBeLessThan(15);
});

import { createLog, createPool, isTransient } from '@sluice/service';
import { eventually, testDatabase, type TestDatabase } from '@sluice/testing';
import type { DataSource } from 'typeorm';
import { openDataSource } from './data-source.ts';
import { transactionsOf } from '@sluice/main-store/database';

let database: TestDatabase;
let dataSource: DataSource;
let observer: ReturnType<typeof createPool>;

beforeAll(async () => {
  const log = createLog('tests', 'error');
  database = await testDatabase();
  dataSource = await openDataSource(database.url, 1, log);
  observer = createPool(database.url, 1, log);
});
afterAll(async () => {
  await observer.end();
  await dataSource.destroy();
  await database.drop();
});

/** Has the database end a connection that does nothing just then. */
async function end(pid: number | undefined): Promise<void> {
  await observer.query('SELECT pg_terminate_backend($1)', [pid]);
  await eventually(async () => {
    const { rows } = await observer.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [pid]);
    expect(rows).toEqual([]);
  });
}

test.each(['a statement', 'the commit'])(
  'a transaction whose connection is ended before %s is one to be tried again',
  async (what) => {
    const cut = transactionsOf(dataSource)(async (tx) => {
      const [row] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await end(row?.pid);
      if (what === 'a statement') await tx.query('SELECT 1');
    });
    expect(isTransient(await cut.catch((error: unknown) => error))).toBe(true);
    expect(await transactionsOf(dataSource)((tx) => tx.query('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
  },
);

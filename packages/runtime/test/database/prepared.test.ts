import { topology } from '@sluice/contracts';
import { testDatabase, type TestDatabase } from '@sluice/testing';
import type pg from 'pg';
import winston from 'winston';
import { createUnitOfWork } from '@sluice/messaging';
import { system, createPool, inTransaction, sqlOf } from '@sluice/service';
import { kyselyTransactions, openKysely } from '@sluice/service/kysely';

const quiet = winston.createLogger({ silent: true });
const newest = 'SELECT * FROM cups WHERE id > $1';

let database: TestDatabase;
let pool: pg.Pool;

/** Opens one connection that keeps at most so many statements, with a table of two rows. */
async function keeping(most: number): Promise<void> {
  database = await testDatabase();
  pool = createPool(database.url, 1, quiet, { preparedStatements: most });
  await pool.query('CREATE TABLE cups (id bigint GENERATED ALWAYS AS IDENTITY, name text)');
  await pool.query("INSERT INTO cups (name) VALUES ('red'), ('blue')");
}
afterEach(async () => {
  await pool.end();
  await database.drop();
});

interface Prepared {
  statement: string;
  runs: number;
}

/** What the connection keeps, and how often each has run. */
const prepared = async (client: Pick<pg.Pool, 'query'> = pool) => {
  const { rows } = await client.query<Prepared>(
    'SELECT statement, generic_plans + custom_plans AS runs FROM pg_prepared_statements ORDER BY prepare_time',
  );
  return rows;
};

test('a statement is prepared once, whichever library it comes from', async () => {
  await keeping(10);
  const kysely = openKysely<{ cups: { id: number; name: string } }>(pool);
  for (let time = 0; time < 3; time++) {
    await sqlOf(pool).query(newest, [time]);
    await kysely.selectFrom('cups').select('name').where('id', '=', time).execute();
  }
  expect(await prepared()).toEqual([
    { statement: newest, runs: 3 },
    { statement: 'select "name" from "cups" where "id" = $1', runs: 3 },
  ]);
});

test('no connection keeps more than the limit, and what was asked for longest ago goes first', async () => {
  await keeping(2);
  const counts = [1, 2, 3].map((number) => `SELECT count(*) + ${number} FROM cups WHERE id > $1`);
  const [first = '', second = '', third = ''] = counts;
  for (const statement of [first, second, first, third]) await pool.query(statement, [0]);
  expect((await prepared()).map(({ statement }) => statement)).toEqual([first, third]);
  await pool.query(second, [0]);
  expect((await prepared()).map(({ statement }) => statement)).toEqual([third, second]);
});

test('a statement is given up also where the transaction has failed', async () => {
  await keeping(1);
  await expect(
    inTransaction(pool, async (sql) => {
      await sql.query(newest, [0]);
      await sql.query('SELECT 1 / $1::int', [0]).catch(() => undefined);
      await sql.query('SELECT 2 / $1::int', [1]);
    }),
  ).rejects.toThrow('current transaction is aborted');
  await pool.query(newest, [0]);
  expect(await prepared()).toEqual([{ statement: newest, runs: 1 }]);
});

test('behind a pooler that keeps none, none is prepared', async () => {
  await keeping(0);
  await pool.query(newest, [0]);
  expect(await prepared()).toEqual([]);
});

test('a statement whose answer a migration has changed is prepared anew', async () => {
  await keeping(10);
  await pool.query(newest, [1]);
  await pool.query('ALTER TABLE cups ADD COLUMN size int');
  const { rows } = await pool.query(newest, [1]);
  expect(rows).toEqual([{ id: 2, name: 'blue', size: null }]);
});

test('a unit of work that meets such a statement begins again, without having had an effect', async () => {
  await keeping(10);
  const database = openKysely<unknown>(pool);
  const work = createUnitOfWork({
    transaction: kyselyTransactions(database),
    topology: topology('test'),
    sender: 'main-api',
    now: () => new Date(),
  });
  const change = () =>
    work(system, async (tx) => {
      await tx.query('INSERT INTO cups (name) VALUES ($1)', ['green']);
      return await tx.query<{ name: string }>(newest, [2]);
    });
  expect(await change()).toHaveLength(1);
  await pool.query('ALTER TABLE cups ADD COLUMN size int');
  expect((await change()).map(({ name }) => name)).toEqual(['green', 'green']);
});

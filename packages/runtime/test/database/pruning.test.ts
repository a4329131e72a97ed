import { statementsWithoutIndex, testDatabase, type TestDatabase } from '@sluice/testing';
import type pg from 'pg';
import { Registry } from '@prometheus-io/client';
import { Schedule } from '@sluice/controller';
import { quiet } from '../widget-service.ts';
import { idempotencyRule } from '@sluice/http';
import { attemptsRule, inboxRule, outboxRules } from '@sluice/messaging';
import {
  migrate,
  createPool,
  inTransaction,
  prune,
  Pruner,
  pruningStatement,
  type PruningRule,
} from '@sluice/service';

const rule: PruningRule = { table: 'cups', since: 'broken_at', keep: '10 days', where: 'NOT dear' };

let database: TestDatabase;
let pool: pg.Pool;

beforeEach(async () => {
  database = await testDatabase();
  pool = createPool(database.url, 4, quiet);
  // 2,500 that are over, and one each that is young, whole, or dear to somebody
  await pool.query(`
    CREATE TABLE cups (name text, broken_at timestamptz, dear boolean DEFAULT false);
    INSERT INTO cups SELECT 'old', now() - interval '11 days' FROM generate_series(1, 2500);
    INSERT INTO cups VALUES ('young', now() - interval '9 days', false), ('whole', null, false),
      ('dear', now() - interval '1 year', true);
    CREATE TABLE deletions (transaction xid8, count int);
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO deletions SELECT pg_current_xact_id(), count(*) FROM gone; RETURN NULL; END $$;
    CREATE TRIGGER deletions AFTER DELETE ON cups REFERENCING OLD TABLE AS gone EXECUTE FUNCTION note()`);
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const left = async () =>
  (await pool.query<{ name: string }>('SELECT DISTINCT name FROM cups ORDER BY name')).rows.map(
    ({ name }) => name,
  );
const deletions = async () =>
  (
    await pool.query<{ count: number }>(
      'SELECT sum(count)::int AS count FROM deletions GROUP BY transaction ORDER BY transaction',
    )
  ).rows;

test('what is over goes, a batch in each transaction; the young, the live and the excepted stay', async () => {
  expect(await prune(pool, rule)).toBe(2500);
  expect(await left()).toEqual(['dear', 'whole', 'young']);
  expect(await deletions()).toEqual([{ count: 1000 }, { count: 1000 }, { count: 500 }]);
  expect(await prune(pool, rule)).toBe(0);
});

test('a row that somebody has locked is left for the next time, and not waited for', async () => {
  await inTransaction(pool, async (sql) => {
    await sql.query("SELECT FROM cups WHERE name = 'old' LIMIT 1 FOR SHARE");
    expect(await prune(pool, rule)).toBe(2499);
  });
  expect(await prune(pool, rule)).toBe(1);
});

test('a table that somebody keeps to himself is pruned another time', async () => {
  await inTransaction(pool, async (sql) => {
    await sql.query('LOCK TABLE cups IN EXCLUSIVE MODE');
    await expect(prune(pool, rule)).rejects.toThrow('lock timeout');
  });
  expect(await prune(pool, rule)).toBe(2500);
});

test('of two replicas one prunes at a time', async () => {
  await inTransaction(pool, async (sql) => {
    await sql.query("SELECT pg_advisory_xact_lock(1359678559, hashtext('cups'))");
    expect(await prune(pool, rule)).toBe(0);
  });
  expect(await prune(pool, rule)).toBe(2500);
});

test('a service prunes from its start on, counts what has gone, and a table that fails keeps no other', async () => {
  const metrics = new Registry();
  const schedule = new Schedule({ log: quiet, metrics });
  const pruner = new Pruner({ pool, schedule, metrics, log: quiet });
  const batches = [1000, 7];
  pruner.add([
    { ...rule, table: 'saucers' },
    rule,
    { table: 'spoons', remove: async () => batches.shift() ?? 0 },
  ]);
  const { promise: done, resolve } = Promise.withResolvers<number>();
  pruner.add([{ table: 'forks', remove: async () => (resolve(0), 0) }]);
  await done;
  await schedule.stop();
  expect(await metrics.getSingleMetricAsString('sluice_rows_pruned_total')).toMatch(
    /table="cups"\} 2500\n.*table="spoons"\} 1007/,
  );
});

test('an index leads to expired rows of the platform tables', async () => {
  await migrate(pool, new URL('../../test/migrations/', import.meta.url));
  const own = createPool(database.url, 1, quiet);
  const query = async (text: string) => (await own.query<{ 'QUERY PLAN': string }>(text)).rows;
  const rules = [inboxRule, attemptsRule, ...outboxRules(3), idempotencyRule];
  expect(await statementsWithoutIndex(query, rules.map(pruningStatement))).toEqual([]);
  expect(await statementsWithoutIndex(query, [pruningStatement(rule)])).toHaveLength(1);
  await own.end();
});

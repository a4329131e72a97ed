import { setTimeout as pause } from 'node:timers/promises';
import { eventually, testDatabase, type TestDatabase } from '@sluice/testing';
import pg from 'pg';
import { Registry } from '@prometheus-io/client';
import winston from 'winston';
import { LeaseLost, SlowPlacesTaken, Stopping, WorkQueue, type Lease } from './index.ts';

interface Item {
  key: number;
  group: string;
  slow: boolean;
  fence: number;
}
type Queue = WorkQueue<Item, Item>;
interface Settings {
  leaseSeconds?: number;
  slowAfterSeconds?: number;
  places?: number;
  atOnce?: boolean;
  stopSeconds?: number;
  pollSeconds?: number;
}

const log = winston.createLogger({ silent: true });
let database: TestDatabase;
let pool: pg.Pool;
const queues: Queue[] = [];

beforeEach(async () => {
  database = await testDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 10 });
  await pool.query(`CREATE TABLE jobs (
    key int PRIMARY KEY, "group" text DEFAULT 'one', slow boolean DEFAULT false, fence int DEFAULT 0,
    due_at timestamptz DEFAULT now(), leased_until timestamptz, done int DEFAULT 0)`);
});
afterEach(async () => {
  await Promise.all(queues.splice(0).map((queue) => queue.stop()));
  await pool.end();
  await database.drop();
});

const columns = 'key, "group", slow, fence';
const free = 'due_at <= now() AND (leased_until IS NULL OR leased_until <= clock_timestamp())';
const take = (seconds: number) =>
  `SET fence = fence + 1, leased_until = clock_timestamp() + make_interval(secs => ${seconds})`;
const rowsOf = async (statement: string, values: unknown[]) =>
  (await pool.query<Item>(statement, values)).rows;

/** One replica's queue on the table of jobs, by leases of rows at once or one by one. */
function replica(run: (item: Item, lease: Lease) => Promise<number | void>, settings: Settings = {}): Queue {
  const {
    leaseSeconds = 2,
    slowAfterSeconds,
    places = 4,
    atOnce = false,
    stopSeconds = 0,
    pollSeconds = 0.1,
  } = settings;
  const leaseDue = ({ all }: { all: number }) =>
    rowsOf(
      `UPDATE jobs ${take(leaseSeconds)} WHERE key IN (
         SELECT key FROM jobs WHERE ${free} ORDER BY due_at, key LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING ${columns}`,
      [all],
    );
  const oneByOne = {
    limit: 100,
    listDue: (limit: number) =>
      rowsOf(`SELECT ${columns} FROM jobs WHERE ${free} ORDER BY key LIMIT $1`, [limit]),
    lease: async ({ key }: { key: number }) =>
      (
        await rowsOf(`UPDATE jobs ${take(leaseSeconds)} WHERE key = $1 AND ${free} RETURNING ${columns}`, [
          key,
        ])
      )[0],
  };
  const queue: Queue = new WorkQueue({
    name: 'jobs',
    source: atOnce ? { leaseDue } : oneByOne,
    lanes: { size: places, slow: Math.floor(places / 2) },
    leaseSeconds,
    renewSeconds: 0.1,
    renew: async (items) => {
      const held = await rowsOf(
        `UPDATE jobs SET leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
         WHERE (key, fence) IN (SELECT * FROM unnest($1::int[], $2::int[])) RETURNING ${columns}`,
        [items.map(({ key }) => key), items.map(({ fence }) => fence)],
      );
      return items.filter(({ key, fence }) => held.some((one) => one.key === key && one.fence === fence));
    },
    run,
    ...(slowAfterSeconds !== undefined && { slowAfterSeconds }),
    pollSeconds,
    stopSeconds,
    metrics: new Registry(),
    log,
  });
  queues.push(queue);
  return queue;
}

const insert = (from: number, to: number, values = '') =>
  pool.query(
    `INSERT INTO jobs (key${values && ', "group", slow'}) SELECT i${values} FROM generate_series($1::int, $2::int) i`,
    [from, to],
  );
/** Stores the outcome under the fence: false once the lease is another's. */
const finish = async ({ key, fence }: Item) =>
  (
    await pool.query(
      `UPDATE jobs SET done = done + 1, due_at = 'infinity', leased_until = NULL WHERE key = $1 AND fence = $2`,
      [key, fence],
    )
  ).rowCount === 1;
const outcomes = async () =>
  (
    await pool.query<{ done: number; count: number }>(
      'SELECT done, count(*)::int FROM jobs GROUP BY done ORDER BY done',
    )
  ).rows;
/** Ends when the lease does. */
const untilGivenUp = async ({ signal }: Lease) =>
  await new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error)),
  );

test.each([true, false])(
  'replicas share the work, and each item is done once (leased at once: %s)',
  async (atOnce) => {
    await insert(1, 200);
    const by: number[] = [0, 0, 0];
    for (const index of [0, 1, 2])
      await replica(
        async (item) => {
          await pause(2);
          if (await finish(item)) by[index]! += 1;
        },
        { atOnce },
      ).start();
    await eventually(async () => expect(await outcomes()).toEqual([{ done: 1, count: 200 }]));
    expect(Math.min(...by)).toBeGreaterThan(10);
  },
);

test('work that takes longer than a lease keeps it', async () => {
  await insert(1, 1);
  let runs = 0;
  const slowly = async (item: Item, lease: Lease) => {
    runs += 1;
    await pause(1_000);
    if (lease.held) await finish(item);
  };
  await replica(slowly, { leaseSeconds: 0.4 }).start();
  await replica(slowly, { leaseSeconds: 0.4 }).start();
  await eventually(async () => expect(await outcomes()).toEqual([{ done: 1, count: 1 }]));
  expect(runs).toBe(1);
});

test('work whose lease another replica has taken is aborted and stores nothing more', async () => {
  await insert(1, 1);
  const lost = Promise.withResolvers<unknown>();
  let item: Item | undefined;
  await replica(async (taken, lease) => {
    if (item) return;
    item = taken;
    await pool.query('UPDATE jobs SET fence = fence + 1');
    await untilGivenUp(lease).catch(lost.resolve);
    throw lease.signal.reason;
  }).start();
  expect(await lost.promise).toBeInstanceOf(LeaseLost);
  expect(await finish(item!)).toBe(false);
});

test('a lease that cannot be renewed ends by the clock of its holder', async () => {
  await insert(1, 1);
  const lost = Promise.withResolvers<unknown>();
  const blocker = await pool.connect();
  let first = true;
  await replica(
    async (_item, lease) => {
      if (!first) return;
      first = false;
      await blocker.query('BEGIN; SELECT FROM jobs FOR UPDATE');
      await untilGivenUp(lease).catch(lost.resolve);
      expect(lease.held).toBe(false);
    },
    { leaseSeconds: 0.4 },
  ).start();
  expect(await lost.promise).toBeInstanceOf(LeaseLost);
  await blocker.query('ROLLBACK');
  blocker.release();
});

test('slow work takes its part of the places only, and what is quick goes on', async () => {
  await insert(1, 20, ", 'slow', true");
  await insert(21, 60, ", 'quick', false");
  let [slow, most] = [0, 0];
  const ending = new AbortController();
  await replica(async (item) => {
    if (item.group === 'slow') {
      most = Math.max(most, ++slow);
      await pause(60_000, undefined, { signal: ending.signal }).catch(() => undefined);
      slow -= 1;
    } else await finish(item);
  }).start();
  await eventually(async () => expect(await outcomes()).toContainEqual({ done: 1, count: 40 }));
  expect(most).toBe(2);
  ending.abort();
});

test('work that turns out to be slow gives way once the slow places are taken', async () => {
  await insert(1, 4);
  const reasons: unknown[] = [];
  await replica(
    async (_item, lease) => void (await untilGivenUp(lease).catch((reason) => reasons.push(reason))),
    {
      slowAfterSeconds: 0.05,
      leaseSeconds: 60,
    },
  ).start();
  await eventually(() => expect(reasons.length).toBeGreaterThanOrEqual(2));
  expect(reasons.every((reason) => reason instanceof SlowPlacesTaken)).toBe(true);
});

test('the group with the least running work is next', async () => {
  await insert(1, 50, ", 'big', false");
  await insert(51, 51, ", 'small', false");
  const order: string[] = [];
  await replica(
    async (item) => {
      order.push(item.group);
      await pause(5);
      await finish(item);
    },
    { places: 2 },
  ).start();
  await eventually(() => expect(order).toContain('small'));
  expect(order.indexOf('small')).toBeLessThan(10);
});

test("a failure is another item's business never: it is tried again after its lease, the others go on", async () => {
  await insert(1, 10);
  let attempts = 0;
  await replica(
    async (item) => {
      if (item.key === 1 && ++attempts < 3) throw new Error('not this time');
      await finish(item);
    },
    { leaseSeconds: 0.2 },
  ).start();
  await eventually(async () => expect(await outcomes()).toEqual([{ done: 1, count: 10 }]));
  expect(attempts).toBe(3);
});

test('an item is looked at again after as many seconds as its run says', async () => {
  await insert(1, 1);
  let runs = 0;
  const again = async ({ key, fence }: Item) => {
    runs += 1;
    await pool.query(
      "UPDATE jobs SET leased_until = NULL, due_at = now() + interval '20 ms' WHERE key = $1 AND fence = $2",
      [key, fence],
    );
    return 0.02;
  };
  await replica(again, { pollSeconds: 3_600 }).start();
  await eventually(() => expect(runs).toBeGreaterThan(3));
});

test('a stop takes nothing more, waits for what is under way, then gives it up', async () => {
  await insert(1, 2);
  const begun = Promise.withResolvers<void>();
  const reasons: unknown[] = [];
  const queue = replica(
    async (item, lease) => {
      begun.resolve();
      if (item.key === 1) return void (await pause(100).then(() => finish(item)));
      await untilGivenUp(lease).catch((reason: unknown) => reasons.push(reason));
    },
    { stopSeconds: 0.5, places: 4 },
  );
  await queue.start();
  await begun.promise;
  await queue.stop();
  await insert(3, 3);
  queue.wake();
  expect(await outcomes()).toContainEqual({ done: 1, count: 1 });
  expect(reasons.every((reason) => reason instanceof Stopping)).toBe(true);
  expect(queue.load.running).toBe(0);
});

import { idOf, type Event, type ReportData } from '@sluice/contracts';
import type { UnitOfWork } from '@sluice/messaging';
import { createLog } from '@sluice/service';
import { kyselyTransactions, openKysely } from '@sluice/service/kysely';
import { aDeployment, eventually, insertInitialized } from '@sluice/testing';
import pg from 'pg';
import { call, untilStatus } from '#test/client.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';
import type { Database, Tables, Transaction } from '@sluice/region-store/tables';
import { findLocked, type subjectsOf } from '@sluice/region-store/deployments.store';
import { correctLatePrices } from './late-prices.ts';
import { secondsPerPrice } from './meter.ts';
import { suspension } from './suspension.ts';
import { settleDue } from './spend-watch.ts';

type Subjects = ReturnType<typeof subjectsOf>;

const region = supervisor({ replicas: 1 });
let pool: pg.Pool;
let database: Database;

beforeAll(() => {
  pool = new pg.Pool({ connectionString: region.databaseUrl, max: 4 });
  database = openKysely<Tables>(pool);
  region.onClose(() => database.destroy());
});

describe('a deployment that runs', () => {
  test('is stopped at its spend limit, and starts when that is raised; people are told once a month', async () => {
    const { url } = region.replica();
    const key = await region.key();
    // 38 cents a second
    const costly = (spend_limit: number | null) => ({ ...shape, spend_limit });
    const shape = aDeployment();
    shape.limits.monthly_cents = 100_000_000;
    await region.apply(costly(0.5));
    const status = (wanted: 'initialized' | 'stopped') => untilStatus(url, key, shape.id, wanted, 90_000);
    const events = async () =>
      (await messagesAbout<Event>(region, 'events', shape.id)).filter(({ type }) =>
        type.startsWith('billing'),
      );

    const because = /^its spend limit is reached: .* raised, or at 20/;
    expect((await status('stopped')).status_reason).toMatch(because);
    await untilAtRest(shape.id);
    expect((await status('stopped')).status_reason).toMatch(because);
    expect(await region.processesOf(shape.nodes[0]!.id)).toMatchObject({ agents: 1, brokers: 0 });
    expect(await events()).toMatchObject([
      {
        type: 'billing_limit_reached',
        author: null,
        deployment: { id: shape.id },
        data: { name: 'orders', spend_limit: 0.5 },
      },
    ]);

    const start = await call(`${url}/deployments/${shape.id}/activities/broker/start`, key, {
      method: 'POST',
    });
    expect(start).toMatchObject({ status: 409, body: { code: 'state_conflict' } });

    await region.apply(costly(null), 2);
    expect((await status('initialized')).status_reason).toBeNull();
    await region.apply(costly(0.5), 3);
    await status('stopped');
    expect(await events()).toHaveLength(1);
  }, 240_000);

  /** Waits until the reconciler has looked at it and found nothing to do. */
  const untilAtRest = (id: number) =>
    eventually(async () => {
      const rests = 'due_at > now() AND leased_until IS NULL';
      const rows = await region.sql(`SELECT FROM reconciliations WHERE deployment_id = $1 AND ${rests}`, [
        id,
      ]);
      expect(rows).toHaveLength(1);
    });
});

describe('by the clock', () => {
  let id = 7_000_000;
  const month = Date.UTC(2100, 2, 1);
  const inSeconds = (seconds: number) => new Date(month + seconds * 1000);

  /** One that costs a cent a second and has run since its month began, which nobody else looks at. */
  async function aRunning(spend_limit: number | null): Promise<number> {
    await insertInitialized(pool, 1, { firstId: (id += 1_000) });
    await region.sql('DELETE FROM reconciliations WHERE deployment_id = $1', [id]);
    await setShape({ spend_limit, limits: { access_rules: 1, monthly_cents: secondsPerPrice } });
    await region.sql(
      `INSERT INTO deployment_spending (deployment_id, month, cent_seconds, metered_to, monthly_cents, due_at)
       VALUES ($1, $2, 0, $2, $3, $2)`,
      [id, inSeconds(0), secondsPerPrice],
    );
    return id;
  }
  beforeEach(async () => {
    await region.sql('DELETE FROM deployments WHERE id > 7000000 AND id < 8000000');
    await region.sql('DELETE FROM usage_intervals WHERE deployment_id > 7000000');
  });

  const setShape = (more: object) =>
    region.sql('UPDATE deployments SET spec = spec || $2::jsonb WHERE id = $1', [id, JSON.stringify(more)]);
  const dueNow = (now: Date) =>
    region.sql('UPDATE deployment_spending SET due_at = $2 WHERE deployment_id = $1', [id, now]);
  const state = async () =>
    (
      await region.sql<{ limited_until: Date | null; due_at: Date | null; cents: number; revision: number }>(
        `SELECT limited_until, due_at, cent_seconds / $2::bigint AS cents, revision
         FROM deployments JOIN deployment_spending ON deployment_id = id WHERE id = $1`,
        [id, secondsPerPrice],
      )
    )[0];

  /** what was reported of this test's deployment */
  const usage: ReportData<'usage'>[] = [];
  beforeEach(() => usage.splice(0));
  const report = (type: string, data: ReportData<'usage'>) =>
    void (type === 'usage' && data.deployment_id === id && usage.push(data));

  /** Looks as a replica does. @returns the events that it has emitted of this test's deployment: the first one is due by then as well */
  async function look(now: Date): Promise<{ type: string; data: unknown }[]> {
    const events: { type: string; data: unknown }[] = [];
    const transactions = kyselyTransactions(database);
    const emit = (type: string, { deployment }: Subjects, data: unknown) =>
      void (deployment?.id === id && events.push({ type, data }));
    const work = ((_, run) =>
      transactions(async (tx) => run({ ...tx, emit, report } as never))) as UnitOfWork<Transaction>;
    await settleDue({ database, work, now: () => now, log: createLog('test', 'error') });
    return events;
  }

  test('a limit is reached at the second that was reckoned, and told once by two who look', async () => {
    await aRunning(1);
    expect(await look(inSeconds(40))).toEqual([]);
    expect(await state()).toMatchObject({ limited_until: null, due_at: inSeconds(80), cents: 40 });
    expect(await look(inSeconds(79))).toEqual([]);
    const near = (await Promise.all([look(inSeconds(80)), look(inSeconds(80))])).flat();
    expect(near).toMatchObject([
      { type: 'billing_limit_near', data: { spend_limit: 1, spent: 0.8, percent: 80 } },
    ]);
    expect(await state()).toMatchObject({ due_at: inSeconds(100) });
    expect(await look(inSeconds(99))).toEqual([]);
    const told = (await Promise.all([look(inSeconds(100)), look(inSeconds(100))])).flat();
    expect(told).toEqual([
      {
        type: 'billing_limit_reached',
        data: {
          name: 'orders',
          code: id.toString(16),
          spend_limit: 1,
          spent: 1,
          until: '2100-04-01T00:00:00.000Z',
        },
      },
    ]);
    const next = new Date('2100-04-01T00:00:00Z');
    expect(await state()).toMatchObject({ limited_until: next, due_at: next });
    expect((await state())?.revision).toBeGreaterThan(1);
  });

  test('with the next month it starts again, and is told again when it gets there', async () => {
    await aRunning(1);
    expect(await look(inSeconds(100))).toHaveLength(1);
    const april = Date.UTC(2100, 3, 1);
    expect(await look(new Date(april))).toEqual([]);
    expect(await state()).toMatchObject({ limited_until: null, cents: 0, due_at: new Date(april + 80_000) });
    expect(await look(new Date(april + 80_000))).toMatchObject([{ type: 'billing_limit_near' }]);
    expect(await look(new Date(april + 100_000))).toMatchObject([{ type: 'billing_limit_reached' }]);
  });

  test('a limit that is raised lets it start, and reached anew in the same month it is stopped in silence', async () => {
    await aRunning(1);
    await look(inSeconds(100));
    await setShape({ spend_limit: 2 });
    await dueNow(inSeconds(100));
    expect(await look(inSeconds(110))).toEqual([]);
    expect(await state()).toMatchObject({ limited_until: null, due_at: inSeconds(160) });
    expect(await look(inSeconds(160))).toMatchObject([{ type: 'billing_limit_near' }]);
    expect(await look(inSeconds(200))).toEqual([]);
    expect((await state())?.limited_until).toEqual(new Date('2100-04-01T00:00:00Z'));
  });

  test('an upgrade is not left halfway: nothing is stopped before it has ended', async () => {
    await aRunning(1);
    await region.sql("UPDATE deployments SET status = 'upgrading' WHERE id = $1", [id]);
    expect(await look(inSeconds(500))).toEqual([]);
    expect(await state()).toMatchObject({ limited_until: null, due_at: null, cents: 500 });
  });

  test('one of a suspended tenant is stopped in silence, whatever its limit and month, until it is resumed', async () => {
    await aRunning(1);
    await setShape({ suspended: true });
    await dueNow(inSeconds(10));
    expect(await look(inSeconds(10))).toEqual([]);
    expect(await state()).toMatchObject({ limited_until: suspension, cents: 10 });
    await region.sql("UPDATE deployments SET status = 'stopped' WHERE id = $1", [id]);
    await dueNow(inSeconds(20));
    expect(await look(new Date(Date.UTC(2100, 3, 2)))).toEqual([]);
    expect(await state()).toMatchObject({ limited_until: suspension });
    await setShape({ suspended: false });
    await dueNow(inSeconds(20));
    expect(await look(new Date(Date.UTC(2100, 3, 3)))).toEqual([]);
    expect(await state()).toMatchObject({ limited_until: null });
  });

  test('one that is stopped, or free, costs nothing, and nobody has to look at it', async () => {
    await aRunning(1);
    await region.sql("UPDATE deployments SET status = 'stopped' WHERE id = $1", [id]);
    await look(inSeconds(10));
    await dueNow(inSeconds(10));
    await look(inSeconds(1_000_000));
    expect(await state()).toMatchObject({ limited_until: null, due_at: null, cents: 10 });
  });

  test('without a limit nobody looks', async () => {
    await aRunning(null);
    await look(inSeconds(10));
    expect((await state())?.due_at).toBeNull();
  });

  describe('what is used', () => {
    const price = { compute: secondsPerPrice, storage: 0, network: 0, telemetry: 0, data_retention: 0 };
    const limits = { access_rules: 1, monthly_cents: secondsPerPrice, price };
    const hour = 3_600;
    const spans = () =>
      usage.map(({ from, to }) => [from, to].map((time) => (Date.parse(time) - month) / 1000));

    /** One whose price has parts, and which was settled at the beginning of the month. */
    async function aMetered() {
      await aRunning(null);
      await setShape({ limits });
      await dueNow(inSeconds(0));
      await look(inSeconds(0));
      usage.splice(0);
    }

    test('is reported once an hour, as one interval that grows', async () => {
      await aMetered();
      await look(inSeconds(hour - 1));
      expect(usage).toEqual([]);
      await look(inSeconds(hour));
      await look(inSeconds(2 * hour + 5));
      expect(spans()).toEqual([
        [0, hour],
        [0, 2 * hour + 5],
      ]);
      expect(usage[0]).toMatchObject({ price, tier: 'free' });
      const stored = await region.sql('SELECT FROM usage_intervals WHERE deployment_id = $1', [id]);
      expect(stored).toHaveLength(1);
    });

    test('ends where the price changes, and goes on with the new one; what is stopped uses nothing', async () => {
      await aMetered();
      const twice = { ...price, storage: secondsPerPrice };
      await setShape({ limits: { ...limits, monthly_cents: 2 * secondsPerPrice, price: twice } });
      await dueNow(inSeconds(100));
      await look(inSeconds(100));
      await region.sql("UPDATE deployments SET status = 'stopped' WHERE id = $1", [id]);
      await dueNow(inSeconds(150));
      await look(inSeconds(150));
      await look(inSeconds(9 * hour));
      await region.sql("UPDATE deployments SET status = 'initialized' WHERE id = $1", [id]);
      await dueNow(inSeconds(10 * hour));
      await look(inSeconds(10 * hour));
      await look(inSeconds(11 * hour));
      expect(spans()).toEqual([
        [0, 100],
        [100, 150],
        [10 * hour, 11 * hour],
      ]);
      expect(usage.map(({ price: { storage } }) => storage)).toEqual([0, secondsPerPrice, secondsPerPrice]);
    });

    describe('by a price that was announced', () => {
      const [old, announced] = [
        { ...price, list: 1 },
        { ...price, compute: 3 * secondsPerPrice, list: 2 },
      ];
      const changes = [{ from: inSeconds(100).toISOString(), price: announced }];
      const counted = () =>
        usage.map(({ price: { list } }, position) => [...(spans()[position] ?? []), list]);

      async function anAnnounced() {
        await aMetered();
        await setShape({ limits: { ...limits, price: old, price_changes: changes } });
        await dueNow(inSeconds(10));
        await look(inSeconds(10));
        usage.splice(0);
      }

      test('it costs that from its second on, however late anybody looks', async () => {
        await anAnnounced();
        expect(await state()).toMatchObject({ due_at: inSeconds(100) });
        await look(inSeconds(hour));
        expect(counted()).toEqual([
          [10, 100, 1],
          [100, hour, 2],
        ]);
        expect(await state()).toMatchObject({ cents: 100 + 3 * (hour - 100), due_at: null });
      });

      test('also where the shape changes after that second before anybody has looked', async () => {
        await anAnnounced();
        await setShape({
          limits: { ...limits, price: { ...announced, compute: 0, list: 2 }, monthly_cents: 0 },
        });
        await dueNow(inSeconds(150));
        await look(inSeconds(150));
        expect(counted()).toEqual([
          [10, 100, 1],
          [100, 150, 2],
        ]);
        expect(await state()).toMatchObject({ cents: 100 + 3 * 50 });
      });

      test('a region that hears of it late corrects what it has counted, once', async () => {
        await aMetered();
        await setShape({ limits: { ...limits, price: old } });
        await dueNow(inSeconds(0));
        await look(inSeconds(0));
        await look(inSeconds(hour));
        usage.splice(0);
        await setShape({ limits: { ...limits, price: announced, price_changes: changes } });
        await dueNow(inSeconds(hour));
        await look(inSeconds(hour));
        const correct = () =>
          kyselyTransactions(database)(async (tx) => {
            const deployment = await findLocked(tx.db, idOf(id));
            return await correctLatePrices({ ...tx, report } as never, deployment!, inSeconds(hour));
          });
        expect(await correct()).toBe(true);
        expect(counted()).toEqual([[100, hour, 2]]);
        expect(await state()).toMatchObject({ cents: 100 + 3 * (hour - 100) });
        expect(await correct()).toBe(false);
        await look(inSeconds(2 * hour));
        expect(await state()).toMatchObject({ cents: 100 + 3 * (2 * hour - 100) });
      });
    });

    test('is split at the end of the month', async () => {
      await aMetered();
      const april = (Date.UTC(2100, 3, 1) - month) / 1000;
      await look(inSeconds(april - 10));
      await look(inSeconds(april + hour));
      await look(inSeconds(april + 2 * hour));
      expect(spans()).toEqual([
        [0, april - 10],
        [0, april],
        [april, april + hour],
        [april, april + 2 * hour],
      ]);
    });

    test('is not reported where release 1.0.0 has counted it', async () => {
      await aMetered();
      await look(inSeconds(hour));
      await region.sql('UPDATE deployment_spending SET metered_to = $2 WHERE deployment_id = $1', [
        id,
        inSeconds(hour + 50),
      ]);
      await look(inSeconds(3 * hour));
      await look(inSeconds(4 * hour));
      expect(spans()).toEqual([
        [0, hour],
        [hour + 50, 3 * hour],
        [hour + 50, 4 * hour],
      ]);
    });

    test('is counted once by two who look at the same time', async () => {
      await aMetered();
      await Promise.all([look(inSeconds(hour)), look(inSeconds(hour))]);
      expect(spans()).toEqual([[0, hour]]);
    });

    test('of what main-api does not know is kept until it does', async () => {
      await aMetered();
      await region.sql('UPDATE deployments SET unknown_since = now() WHERE id = $1', [id]);
      await look(inSeconds(hour));
      expect(usage).toEqual([]);
      const stored = await region.sql('SELECT FROM usage_intervals WHERE deployment_id = $1', [id]);
      expect(stored).toHaveLength(1);
    });
  });
});

import { idOf, type DeploymentId } from '@sluice/contracts';
import { createLog, createPool, migrate } from '@sluice/service';
import { openKysely } from '@sluice/service/kysely';
import { testDatabase } from '@sluice/testing';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Database, Tables } from '@sluice/region-store/tables';
import {
  isHeld,
  listDue,
  lockLease,
  measureQueue,
  releaseLease,
  renewLeases,
  scheduleNow,
  takeLease,
} from '@sluice/region-store/reconciliations.store';

const id = idOf<DeploymentId>(1);
const done = { seconds: 300, failures: 0, lastError: null, slow: false };

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: pg.Pool;
let db: Database;

beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.url, 4, createLog('supervisor', 'error'));
  await migrate(pool, new URL('../../migrations/', import.meta.url));
  db = openKysely<Tables>(pool);
});
beforeEach(() => pool.query('DELETE FROM deployments'));
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Deployments of a tenant that have been due for `seconds`. */
async function due(tenant: number, ids: { from: number; to: number }, seconds = 0) {
  await pool.query(
    `WITH made AS (
       INSERT INTO deployments (id, uid, generation, spec, created_by, username, sealed_password, status, status_changed_at)
       SELECT id, gen_random_uuid(), 1, jsonb_build_object('tenant_id', $1::int, 'division', '{"id": 2}'::jsonb, 'environment', '{"id": 3}'::jsonb),
              '{}', 'user', 'sealed', 'initialized', now()
       FROM generate_series($2::int, $3::int) AS id RETURNING id)
     INSERT INTO reconciliations (deployment_id, due_at) SELECT id, now() - $4 * interval '1 second' FROM made`,
    [tenant, ids.from, ids.to, seconds],
  );
}

const endLeases = () =>
  pool.query(
    `UPDATE reconciliations SET leased_until = now() - interval '1 second', due_at = now() - interval '1 second'`,
  );
const isDue = async () => (await listDue(db, 10)).some((one) => one.id === id);

describe('a lease', () => {
  beforeEach(() => due(1, { from: 1, to: 1 }));

  test('is taken by one of many, and by nobody else while it runs', async () => {
    const taken = await Promise.all(['a', 'b', 'c', 'd'].map((holder) => takeLease(db, id, holder, 60)));
    expect(taken.filter((lease) => lease !== undefined)).toHaveLength(1);
    expect(await isDue()).toBe(false);
    expect(await takeLease(db, id, 'late', 60)).toBeUndefined();
  });

  test('that has ended is taken with a larger fence; its former holder stores, renews and gives back nothing', async () => {
    const former = (await takeLease(db, id, 'frozen', 60))!;
    await endLeases();
    expect(await isDue()).toBe(true);
    const lease = (await takeLease(db, id, 'alive', 60))!;
    expect(lease.fence).toBeGreaterThan(former.fence);
    await db.transaction().execute(async (tx) => {
      expect(await lockLease(tx, former)).toBe(false);
      expect(await lockLease(tx, lease)).toBe(true);
    });
    expect([await isHeld(db, former), await isHeld(db, lease)]).toEqual([false, true]);
    expect(await renewLeases(db, [former, lease], 60)).toEqual([id]);
    await releaseLease(db, former, done);
    expect(await takeLease(db, id, 'third', 60)).toBeUndefined();
  });

  test('that is given back leaves the deployment at rest, unless it was woken meanwhile', async () => {
    const lease = (await takeLease(db, id, 'a', 60))!;
    expect(await releaseLease(db, lease, done)).toBe(false);
    expect(await isDue()).toBe(false);

    await scheduleNow(db, id, new Date());
    const second = (await takeLease(db, id, 'a', 60))!;
    await scheduleNow(db, id, new Date());
    expect(await renewLeases(db, [second], 60)).toEqual([id]);
    expect(await isDue()).toBe(false);
    expect(await releaseLease(db, second, done)).toBe(true);
    expect(await isDue()).toBe(true);
  });

  test('puts nothing off where the clock of whoever wakes is ahead', async () => {
    await scheduleNow(db, id, new Date(Date.now() + 3_600_000));
    expect(await isDue()).toBe(true);
  });
});

describe('the time in a status', () => {
  beforeEach(() => due(1, { from: 1, to: 1 }));

  /** The next look, as if the last one was so long ago, and this one had been planned for then. */
  const look = async (lastLook: number, planned: number) => {
    await pool.query(
      `UPDATE reconciliations SET active_at = now() - $1 * interval '1 second', leased_until = NULL,
         due_at = now() - ($1::float8 - $2) * interval '1 second'`,
      [lastLook, planned],
    );
    return (await takeLease(db, id, 'a', 60))!.activeSeconds;
  };

  test('counts while a supervisor was there, and no more than a second beyond what was planned', async () => {
    expect((await takeLease(db, id, 'a', 60))!.activeSeconds).toBe(0);
    expect(await look(5, 5)).toBeCloseTo(5, 1);
    expect(await look(3_600, 2)).toBeCloseTo(8, 1);
    expect(await look(-3_600, -3_600)).toBeCloseTo(8, 1);
  });

  test('begins anew with each status', async () => {
    await takeLease(db, id, 'a', 60);
    expect(await look(5, 5)).toBeCloseTo(5, 1);
    await pool.query("UPDATE deployments SET status_changed_at = now() + interval '1 minute'");
    expect(await look(5, 5)).toBe(0);
  });
});

describe('the deployments that are due', () => {
  test('come in turns of the tenants, however many one of them has', async () => {
    await due(1, { from: 1, to: 1_000 }, 60);
    await due(2, { from: 2_001, to: 2_001 });
    await due(3, { from: 3_001, to: 3_002 }, 10);
    expect((await listDue(db, 5)).map(({ tenantId }) => tenantId)).toEqual([1, 3, 2, 1, 3]);
  });

  test('begin with a deletion, although creations of its tenant have waited for longer', async () => {
    await due(1, { from: 1, to: 500 }, 60);
    await due(2, { from: 2_001, to: 2_001 }, 60);
    await due(1, { from: 501, to: 501 });
    await pool.query("UPDATE deployments SET deleted_by = '{}' WHERE id = 501");
    const found = await listDue(db, 2);
    expect(found.map(({ id }) => id)).toEqual([501, 2_001]);
  });

  test('are the slow ones and the others, so that neither hides the other', async () => {
    await due(1, { from: 1, to: 20 }, 60);
    await pool.query('UPDATE reconciliations SET failures = 1');
    await due(2, { from: 2_001, to: 2_001 });
    const found = await listDue(db, 3);
    expect(found.filter(({ slow }) => slow)).toHaveLength(3);
    expect(found.filter(({ slow }) => !slow)).toMatchObject([{ id: 2_001, tenantId: 2 }]);
  });
});

test('what rests is not read, however much there is of it', async () => {
  await due(1, { from: 1, to: 2_000 }, -300);
  await due(2, { from: 2_001, to: 2_003 });
  await pool.query('ANALYZE');
  const rowsRead = async (tx: Database) => {
    const { rows } = await sql<{ count: number }>`
      SELECT sum(seq_tup_read + idx_tup_fetch)::int AS count FROM pg_stat_xact_user_tables
      WHERE relname IN ('reconciliations', 'deployments')`.execute(tx);
    return rows[0]?.count ?? NaN;
  };
  await db.transaction().execute(async (tx) => {
    const before = await rowsRead(tx);
    expect(await listDue(tx, 100)).toHaveLength(3);
    expect(await measureQueue(tx)).toMatchObject({ due: 3 });
    expect((await rowsRead(tx)) - before).toBeLessThan(20);
  });
});

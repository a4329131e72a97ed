import { idOf, type DeploymentId } from '@sluice/contracts';
import { createLog, createPool, migrate } from '@sluice/service';
import { openKysely } from '@sluice/service/kysely';
import { testDatabase } from '@sluice/testing';
import type pg from 'pg';
import type { Tables } from '@sluice/region-store/tables';
import { listTrueConditions, setCondition, type Condition } from './conditions.store.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

describe('conditions', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let pool: pg.Pool;

  beforeEach(async () => {
    database = await testDatabase();
    pool = createPool(database.url, 2, createLog('supervisor', 'error'));
    await migrate(pool, new URL('../../../migrations/', import.meta.url));
  });
  afterEach(async () => {
    await pool.end();
    await database.drop();
  });

  const conditions = async () =>
    (await pool.query('SELECT * FROM deployment_conditions ORDER BY deployment_id, changed_at'))
      .rows as unknown[];

  test('change with their status, and keep reason and time while it stays', async () => {
    await pool.query(
      `INSERT INTO deployments (id, uid, generation, spec, created_by, username, sealed_password, status, status_changed_at)
       VALUES (1, gen_random_uuid(), 1, '{"tenant_id": 1, "division": {"id": 2}, "environment": {"id": 3}}', '{}', 'user', 'sealed', 'creating', now())`,
    );
    const db = openKysely<Tables>(pool);
    const id = idOf<DeploymentId>(1);
    const failed: Condition = { type: 'Ready', status: 'False', reason: 'TooLate', message: 'too late' };
    const ready: Condition = { type: 'Ready', status: 'True', reason: 'Completed', message: '' };
    expect(await setCondition(db, id, failed, at(1))).toBe(true);
    expect(await setCondition(db, id, { ...failed, reason: 'Broken' }, at(2))).toBe(false);
    expect(await conditions()).toEqual([{ deployment_id: 1, ...failed, changed_at: at(1) }]);
    expect(await listTrueConditions(db, id)).toEqual([]);
    const changes = await Promise.all([
      setCondition(db, id, ready, at(3)),
      setCondition(db, id, ready, at(3)),
    ]);
    expect(changes.sort()).toEqual([false, true]);
    expect(await conditions()).toEqual([{ deployment_id: 1, ...ready, changed_at: at(3) }]);
    expect(await listTrueConditions(db, id)).toEqual(['Ready']);
  });
});

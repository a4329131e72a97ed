import { readFile } from 'node:fs/promises';
import { idOf, type DeploymentId } from '@sluice/contracts';
import { createLog, createPool, openKysely } from '@sluice/service-kit';
import { testDatabase } from '@sluice/testing';
import type pg from 'pg';
import type { Tables } from '../database/tables.ts';
import { listTrueConditions, setCondition, type Condition } from './conditions.store.ts';

const migration = (name: string) => readFile(new URL(`../../migrations/${name}`, import.meta.url), 'utf8');
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

describe('conditions', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let pool: pg.Pool;

  beforeEach(async () => {
    database = await testDatabase();
    pool = createPool(database.url, 2, createLog('supervisor', 'error'));
    await pool.query(await migration('001-deployments.sql'));
  });
  afterEach(async () => {
    await pool.end();
    await database.drop();
  });

  const conditions = async () =>
    (await pool.query('SELECT * FROM deployment_conditions ORDER BY deployment_id, changed_at'))
      .rows as unknown[];

  /** A deployment as the first version stored it. */
  const insert = (id: number, subnet: string | null, ...times: (Date | null)[]) =>
    pool.query(
      `INSERT INTO deployments (id, generation, shape, created_by, username, sealed_password, status,
         status_changed_at, subnet, network_secured_at, dns_configured_at, initialized_at)
       VALUES ($1, 1, $2, '{}', 'user', 'sealed', 'creating', $3, $4, $5, $6, $7)`,
      [id, { tenant_id: 1, division: { id: 2 }, environment: { id: 3 } }, at(9), subnet, ...times],
    );

  test('take over what the columns before them said, and when', async () => {
    await insert(1, '10.0.0.0/24', at(1), at(2), at(3));
    await insert(2, '10.0.1.0/24', null, null, null);
    await insert(3, null, null, null, null);
    await pool.query(await migration('002-conditions.sql'));
    const done = { status: 'True', reason: 'Completed', message: '' };
    expect(await conditions()).toHaveLength(5);
    expect(await conditions()).toEqual(
      expect.arrayContaining([
        { deployment_id: 1, type: 'SubnetAssigned', ...done, changed_at: at(1) },
        { deployment_id: 1, type: 'NetworkSecured', ...done, changed_at: at(1) },
        { deployment_id: 1, type: 'DnsConfigured', ...done, changed_at: at(2) },
        { deployment_id: 1, type: 'Initialized', ...done, changed_at: at(3) },
        { deployment_id: 2, type: 'SubnetAssigned', ...done, changed_at: at(9) },
      ]),
    );
  });

  test('change with their status, and keep reason and time while it stays', async () => {
    await insert(1, null, null, null, null);
    await pool.query(await migration('002-conditions.sql'));
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

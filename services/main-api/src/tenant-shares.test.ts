import { createLog, createPool } from '@sluice/service';
import { eventually, type Answer } from '@sluice/testing';
import { mainApi, refusal } from '#test/main-api.ts';

const on = mainApi({
  replicas: 1,
  environment: { DATABASE_POOL_SIZE: '6', DATABASE_TENANT_CONNECTIONS: '2', DATABASE_LOCK_SECONDS: '30' },
});
const a = on.tenants();

const waiting = () =>
  on.sql("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()");

test('thirty changes of a tenant that wait for a lock keep nobody from reading, nor others from changing', async () => {
  const [acme, other] = [await a.tenant(), await a.tenant()];
  const pool = createPool(on.databaseUrl, 1, createLog('tests', 'error'));
  const locker = await pool.connect();
  await locker.query('BEGIN');
  await locker.query('SELECT 1 FROM tenants WHERE id = $1 FOR UPDATE', [acme.id]);
  let answered = 0;
  const changes = Array.from({ length: 30 }, async (_, position): Promise<Answer> => {
    const answer = await acme.admin.post(`${acme.path}/roles`, { name: `r${position}`, permissions: {} });
    answered++;
    return answer;
  });
  await eventually(async () => expect(await waiting()).toHaveLength(2));

  expect((await other.admin.get(`${other.path}/divisions`)).status).toBe(200);
  expect((await other.admin.post(`${other.path}/divisions`, { name: 'quick' })).status).toBe(201);
  expect((await acme.admin.get(`${acme.path}/divisions`)).status).toBe(200);
  expect(answered).toBe(0);
  expect(await waiting()).toHaveLength(2);

  await locker.query('COMMIT');
  locker.release();
  await pool.end();
  const statuses = (await Promise.all(changes)).map(refusal).sort();
  // the plan has twenty
  expect(statuses).toEqual([
    ...Array.from({ length: 20 }, () => [201, undefined]),
    ...Array.from({ length: 10 }, () => [409, 'limit_reached']),
  ]);
});

import { createLog, createPool, migrate } from '@sluice/service';
import { testDatabase, type TestDatabase } from '@sluice/testing';
import { migrations, openDataSource } from '../../data-source.ts';
import { databaseOf } from '@sluice/main-store/database';
import { billingPruningJob } from './pruning-job.ts';

const now = new Date('2026-06-15T00:00:00Z');
let own: TestDatabase;
let pool: ReturnType<typeof createPool>;
let source: Awaited<ReturnType<typeof openDataSource>>;
beforeAll(async () => {
  own = await testDatabase();
  const log = createLog('tests', 'error');
  pool = createPool(own.url, 2, log);
  await migrate(pool, migrations);
  source = await openDataSource(own.url, 1, log);
});
afterAll(async () => {
  await source.destroy();
  await pool.end();
  await own.drop();
});

/** Usage of a deployment of a tenant in a month. */
const use = (tenant: number, month: string, state: 'open' | 'carried' | 'invoiced') =>
  pool.query(
    `WITH billed AS (
       INSERT INTO billed_deployments (uid, deployment_id, tenant_id, division_id, environment_id, name, division_name,
         environment_name, cloud, region)
       VALUES (gen_random_uuid(), 1, $1, 1, 1, 'orders', 'division', 'environment', 'cloud_a', 'us-east-1') RETURNING id)
     INSERT INTO usage_months (billed_id, month, open, carried) SELECT id, $2, $3 <> 'invoiced', $3 = 'carried' FROM billed`,
    [tenant, month, state],
  );

test('addresses of deleted tenants go once no invoice is to come, and outcomes of closings after 90 days', async () => {
  const [open, carried, invoiced, recent, unused] = [1, 2, 3, 4, 5];
  await use(open, '2026-01-01T00:00:00Z', 'open');
  await use(carried, '2026-01-01T00:00:00Z', 'carried');
  await use(invoiced, '2026-02-01T00:00:00Z', 'invoiced');
  await use(recent, '2026-03-01T00:00:00Z', 'invoiced');
  const kept = 1_000;
  await pool.query(
    `WITH owner AS (INSERT INTO users (name, email) VALUES ('Ada', 'ada@example.com') RETURNING id)
     INSERT INTO tenants (id, name, email, owner_id) OVERRIDING SYSTEM VALUE SELECT $1, 'Acme', 'acme@example.com', id FROM owner`,
    [kept],
  );
  for (const tenant of [open, carried, invoiced, recent, unused, kept])
    await pool.query(`INSERT INTO billing_infos (tenant_id, name) VALUES ($1, 'Ada')`, [tenant]);
  await pool.query(
    `INSERT INTO closing_requests (month, dry_run, done_at) VALUES ('2026-01-01Z', true, '2026-03-16Z'),
       ('2026-02-01Z', true, '2026-03-18Z'), ('2026-03-01Z', true, NULL)`,
  );
  await billingPruningJob({ database: databaseOf(source.manager), now: () => now }).run(
    new AbortController().signal,
  );
  const left = await pool.query('SELECT tenant_id::int FROM billing_infos ORDER BY tenant_id');
  expect(left.rows.map(({ tenant_id }: { tenant_id: number }) => tenant_id)).toEqual([open, recent, kept]);
  const requests = await pool.query('SELECT month FROM closing_requests');
  expect(requests.rows).toHaveLength(2);
});

import { eventually } from '@sluice/testing';
import { idOf, type DeploymentId, type ReportData } from '@sluice/contracts';
import { fieldIssues, mainApi, refusal } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

let clock = new Date('2026-03-10T12:00:00Z');
const on = mainApi({ clock: () => clock });
const region = on.region();
const a = on.tenants();
beforeEach(() => void (clock = new Date('2026-03-10T12:00:00Z')));

/** a cent a second: 730 hours have 2,628,000 seconds */
const price = { compute: 2_628_000, storage: 0, network: 0, telemetry: 0, data_retention: 0 };

/** A deployment that has run for so many seconds since the month began, and runs no longer. */
async function aDeployment(tenant: TestTenant) {
  const created = await tenant.starter();
  const id = idOf<DeploymentId>(created.headers.get('svc-deployment') ?? '');
  const { uid, storage } = (await region.shape(id)).deployment;
  const used = (seconds: number, from = '2026-03-01T00:00:00Z') =>
    region.report('usage', {
      ...{ deployment_id: id, uid, price, tier: 'small', nodes: 1, storage, from },
      to: new Date(Date.parse(from) + seconds * 1000).toISOString(),
    } satisfies ReportData<'usage'>);
  return { id, uid, used };
}

const budgets = ({ path }: TestTenant) => `${path}/billing/budgets`;
const make = async (tenant: TestTenant, body: object) =>
  (await tenant.admin.post(budgets(tenant), body)).headers.get('location') ?? '';
const due = () => on.sql("UPDATE budgets SET due_at = '2026-01-01'");
const percents = (tenant: TestTenant) =>
  region
    .eventsOf('billing_budget_reached', { tenant_id: tenant.id })
    .map(({ data }) => (data as { percent: number }).percent);
/** The budgets are looked at every minute, or when a replica starts. */
async function look() {
  await due();
  const replica = await on.startAt(() => clock);
  await eventually(async () =>
    expect(await on.sql('SELECT FROM budgets WHERE due_at <= $1', [clock])).toEqual([]),
  );
  await replica.stop();
}

test('is notified of once a month at 50, 80 and 100 %, by its forecast once, also by two replicas', async () => {
  const acme = await a.tenant();
  const { used } = await aDeployment(acme);
  const path = await make(acme, { name: 'All', amount: '10.00' });
  await used(499);
  await look();
  expect(percents(acme)).toEqual([]);
  await used(500);
  await look();
  await look();
  await eventually(() => expect(percents(acme)).toEqual([50]));
  expect(region.eventsOf('billing_budget_reached', { tenant_id: acme.id })).toMatchObject([
    { author: null, data: { name: 'All', month: '2026-03', amount: '10.00', percent: 50, spent: '5.00' } },
  ]);
  // two are passed at once: the highest is told
  await used(1_000);
  await look();
  await eventually(() => expect(percents(acme)).toEqual([50, 100]));
  expect((await acme.admin.get(path)).body).toMatchObject({ spent_usd: '10.00', forecast_usd: '10.00' });
  clock = new Date('2026-04-02T00:00:00Z');
  await used(800, '2026-04-01T00:00:00Z');
  await look();
  await eventually(() => expect(percents(acme)).toEqual([50, 100, 80]));
}, 90_000);

test('is notified of by the forecast once a month', async () => {
  const acme = await a.tenant();
  const { id, uid } = await aDeployment(acme);
  await on.sql(
    "UPDATE deployments SET tier = 'small', storage_type = 'network_balanced', storage_size = 20 WHERE id = $1",
    [id],
  );
  const path = await make(acme, { name: 'All', amount: '20.00' });
  await region.status(id, 5, 'initialized', { uid, changed_at: '2026-03-10T11:59:00Z' });
  const current = (await acme.admin.get(`${acme.path}/billing/current`)).body;
  expect((await acme.admin.get(path)).body).toMatchObject({ forecast_usd: current['forecast_usd'] });
  await look();
  await look();
  await eventually(() =>
    expect(region.eventsOf('billing_budget_forecast', { tenant_id: acme.id })).toMatchObject([
      { data: { amount: '20.00', forecast: current['forecast_usd'] } },
    ]),
  );
  expect(percents(acme)).toEqual([]);
}, 60_000);

test('covers a division, an environment or a label', async () => {
  const acme = await a.tenant();
  const { id, uid, used } = await aDeployment(acme);
  await used(1_000);
  const [row] = await on.sql<{ environment_id: number }>(
    'SELECT environment_id FROM deployments WHERE id = $1',
    [id],
  );
  await on.sql('DELETE FROM deployment_labels WHERE deployment_uid = $1', [uid]);
  await on.sql(
    `INSERT INTO deployment_labels (deployment_uid, valid_from, labels)
     VALUES ($1, '2026-03-01T00:10:00Z', '{"team": "a"}')`,
    [uid],
  );
  const other = await acme.add(`${acme.divisionPath}/environments`, { name: 'other' });
  const spent = async (scope: object) => {
    const path = await make(acme, { name: `b${Math.random()}`.slice(0, 12), amount: '1', ...scope });
    return ((await acme.admin.get(path)).body as { spent_usd: string }).spent_usd;
  };
  expect(await spent({})).toBe('10.00');
  expect(await spent({ division: acme.division })).toBe('10.00');
  expect(await spent({ environment: row!.environment_id })).toBe('10.00');
  expect(await spent({ environment: other })).toBe('0.00');
  expect(await spent({ label: { key: 'team', value: 'a' } })).toBe('4.00');
  expect(await spent({ label: { key: 'team', value: 'b' } })).toBe('0.00');
});

test('is changed and deleted', async () => {
  const acme = await a.tenant();
  const path = await make(acme, { name: 'All', amount: '10' });
  const put = await acme.admin.put(path, { amount: '20.5', name: 'Everything' });
  expect(put.status).toBe(204);
  expect((await acme.admin.put(path, { amount: '20.50' })).status).toBe(204);
  expect((await acme.admin.get(path)).body).toMatchObject({ name: 'Everything', amount_usd: '20.50' });
  expect(await region.event('billing_budget_updated', put.headers)).toMatchObject({
    data: { changes: { amount: '20.50', name: 'Everything' }, former: { amount: '10.00', name: 'All' } },
  });
  expect((await acme.admin.get(budgets(acme))).body).toMatchObject({ total_results: 1 });
  const other = await a.tenant();
  for (const call of [other.admin.get, other.admin.delete])
    expect(refusal(await call(path.replace(acme.path, other.path)))).toBe('404 not_found');
  const reader = await acme.with({ tenant: ['billing:read'] });
  expect((await reader.get(path)).status).toBe(200);
  expect(refusal(await reader.delete(path))).toBe('403 forbidden');
  expect((await acme.admin.delete(path)).status).toBe(204);
  expect(refusal(await acme.admin.delete(path))).toBe('404 not_found');
});

test.each([
  [{ amount: '1.001' }, '/body/amount'],
  [{ amount: '-1' }, '/body/amount'],
  [{ amount: 5 }, '/body/amount'],
  [{ amount: '0.00' }, '/body/amount too_small'],
  [{ amount: '1000000000.01' }, '/body/amount too_large'],
  [{ amount: '5', division: 999_999 }, '/body/division unknown'],
  [{ amount: '5', environment: 999_999 }, '/body/environment unknown'],
  [{ amount: '5', division: 1, label: { key: 'a', value: 'b' } }, '/body/label not_together'],
  [{ amount: '5', label: { key: '-', value: 'b' } }, '/body/label'],
])('%j is refused', async (body, issue) => {
  const acme = await a.tenant();
  expect(fieldIssues(await acme.admin.post(budgets(acme), { name: 'All', ...body })).join()).toContain(issue);
});

test('has a name of its own in the tenant, and there are at most a hundred', async () => {
  const acme = await a.tenant();
  await make(acme, { name: 'All', amount: '10' });
  expect(refusal(await acme.admin.post(budgets(acme), { name: 'ALL', amount: '10' }))).toBe('409 name_taken');
  await on.sql(
    `INSERT INTO budgets (tenant_id, name, amount) SELECT $1, 'more ' || n, 1 FROM generate_series(1, 99) AS n`,
    [acme.id],
  );
  expect(refusal(await acme.admin.post(budgets(acme), { name: 'more', amount: '10' }))).toBe(
    '409 limit_reached',
  );
});

import { idOf, type DeploymentId, type ReportData } from '@sluice/contracts';
import { client, eventually } from '@sluice/testing';
import { mainApi } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const noon = new Date('2026-03-10T12:00:00Z');
let clock = noon;
const on = mainApi({ replicas: 1, clock: () => clock });
const region = on.region();
const a = on.tenants();
beforeEach(() => void (clock = noon));

const at = (text: string) => new Date(`2026-${text}Z`);
let hourly = 0;

/** Publishes a list that costs otherwise for nodes of the tier small alone. @returns its number */
async function publish(validFrom: Date, tenant: number | null = null): Promise<number> {
  hourly++;
  const [list] = await on.sql<{ number: number }>(
    `INSERT INTO price_lists (number, terms)
     SELECT max(number) + 1, jsonb_set((SELECT terms FROM price_lists WHERE number = 1),
       '{tiers,small,hourly_usd,cloud_a}', to_jsonb($1::text)) FROM price_lists RETURNING number`,
    [`${hourly}.00`],
  );
  await assign(list!.number, validFrom, tenant);
  return list!.number;
}

async function assign(list: number | null, validFrom: Date, tenant: number | null = null): Promise<void> {
  await on.sql(
    `INSERT INTO price_list_assignments (tenant_id, list, valid_from, assigned_at)
     VALUES ($1, $2, $3, $3::timestamptz - interval '1 hour')`,
    [tenant, list, validFrom],
  );
  await on.sql("SELECT pg_notify('price_lists', '')");
}

/** A deployment of the tier small. */
async function aDeployment(tenant: TestTenant) {
  const created = await tenant.starter();
  const id = idOf<DeploymentId>(created.headers.get('svc-deployment') ?? '');
  const { uid } = (await region.shape(id)).deployment;
  await on.sql(
    "UPDATE deployments SET tier = 'small', storage_type = 'network_balanced', storage_size = 20 WHERE id = $1",
    [id],
  );
  await region.status(id, 5, 'initialized', { uid, changed_at: '2026-03-10T12:00:00Z' });
  return { id, uid, path: created.headers.get('location') ?? '' };
}

const environments = new Map<number, number>();

/** What a node of the tier small costs for 730 hours, by a preview. */
async function previewed({ id, admin, divisionPath, add }: TestTenant): Promise<string> {
  const environment =
    environments.get(id) ?? (await add(`${divisionPath}/environments`, { name: 'previews' }));
  environments.set(id, environment);
  const { body } = await admin.post(`${divisionPath}/environments/${environment}/deployments/preview`, {
    ...{ cloud: 'cloud_a', region: 'us-east-1', tier: 'small', nodes: 1 },
  });
  return (body as { breakdown: { compute_usd: string } }).breakdown.compute_usd;
}

test('the first list is what the catalogue says, and no list is ever changed', async () => {
  const { body } = await client(on.replica().url).get('/pricing');
  expect(body).toMatchObject({ list: 1, announced: [] });
  await expect(on.sql("UPDATE price_lists SET terms = '{}'")).rejects.toThrow('never changed');
  await expect(on.sql('DELETE FROM price_lists')).rejects.toThrow('never changed');
  await expect(on.sql('TRUNCATE price_lists CASCADE')).rejects.toThrow('never changed');
  await expect(on.sql("UPDATE price_list_assignments SET valid_from = 'epoch', list = 2")).rejects.toThrow();
  await expect(on.sql('DELETE FROM price_list_assignments')).rejects.toThrow('never changed');
  const insert = 'INSERT INTO price_list_assignments (list, valid_from) VALUES (1, ';
  await expect(on.sql(`${insert} date_trunc('second', now()) + interval '9 minutes')`)).rejects.toThrow(
    'violates check constraint',
  );
  await expect(
    on.sql(`${insert} date_trunc('second', now()) + interval '1 day 0.5 seconds')`),
  ).rejects.toThrow('violates check constraint');
});

test('a list that is announced is sent ahead, forecast, and valid from its second on', async () => {
  const acme = await a.tenant({ plan: 'pro' });
  const { id, path } = await aDeployment(acme);
  const before = await previewed(acme);
  const cost = async () => (await acme.admin.get(`${path}/cost`)).body as Record<string, string>;
  const former = await cost();
  const from = at('03-20T00:00:00');
  const number = await publish(from);
  await eventually(async () => {
    const { body } = await client(on.replica().url).get('/pricing');
    expect(body).toMatchObject({ list: 1, announced: [{ list: number, valid_from: from.toISOString() }] });
  });
  const sent = await eventually(async () => {
    const { limits } = (await region.shape(id)).deployment;
    expect(limits.price_changes).toHaveLength(1);
    return limits;
  });
  expect(sent).toMatchObject({
    price: { list: 1 },
    price_changes: [{ from: from.toISOString(), price: { list: number, compute: hourly * 73_000 } }],
  });
  expect(sent.monthly_cents).not.toBe(0);
  await eventually(() =>
    expect(region.eventsOf('prices_announced', { tenant_id: acme.id })).toMatchObject([
      { data: { list: number, valid_from: from.toISOString() } },
    ]),
  );

  // twelve of the remaining days cost the new price
  const more = 12 * 24 * (hourly - Number(before) / 730);
  const now = await cost();
  expect(now['total_usd']).toBe(former['total_usd']);
  expect(Math.abs(Number(now['forecast_usd']) - Number(former['forecast_usd']) - more)).toBeLessThan(0.011);
  clock = new Date(from.getTime() - 1);
  expect(await previewed(acme)).toBe(before);
  clock = from;
  expect(await previewed(acme)).toBe(`${hourly * 730}.00`);
  // a deployment that is created now has the list at once
  const late = await a.tenant();
  const created = await late.starter();
  const shape = await region.shape(Number(created.headers.get('svc-deployment')));
  expect(shape.deployment.limits.price?.list).toBe(number);
});

test('a list of one tenant is its alone, until the list of all is assigned to it again', async () => {
  const [acme, other] = [await a.tenant(), await a.tenant()];
  const theirs = await previewed(other);
  const own = await publish(at('03-12T00:00:00'), acme.id);
  await assign(null, at('03-14T00:00:00'), acme.id);
  await eventually(() =>
    expect(region.eventsOf('prices_announced', { tenant_id: acme.id })).toMatchObject([
      { data: { list: own } },
      { data: { list: null } },
    ]),
  );
  expect(region.eventsOf('prices_announced', { tenant_id: other.id })).toEqual([]);
  clock = at('03-13T00:00:00');
  expect([await previewed(acme), await previewed(other)]).toEqual([`${hourly * 730}.00`, theirs]);
  clock = at('03-14T00:00:00');
  expect(await previewed(acme)).toBe(theirs);
});

test('what a region that was away has counted by the former list has the price of the list that was valid', async () => {
  const acme = await a.tenant();
  const { id, uid } = await aDeployment(acme);
  const number = await publish(at('03-15T00:00:00'));
  await eventually(() => expect(region.eventsOf('prices_announced', { tenant_id: acme.id })).toHaveLength(1));
  const { price } = (await region.shape(id)).deployment.limits;
  const usage: ReportData<'usage'> = {
    ...{ deployment_id: id, uid, tier: 'small', nodes: 1 },
    storage: { type: 'network_balanced', size: 20 },
    ...{ target_network_tput: null, availability_mode: 'single_az', telemetry_days: 7 },
    ...{ from: '2026-03-14T23:00:00Z', to: '2026-03-15T01:00:00Z', price: { ...price!, list: 1 } },
  };
  await region.report('usage', usage);
  // by a list that was published after the copy from which main-api was restored
  await region.report('usage', {
    ...usage,
    ...{ from: '2026-03-15T01:00:00Z', to: '2026-03-15T02:00:00Z', price: { ...price!, list: 900 } },
  });
  const stored = await on.sql(
    `SELECT extract(epoch FROM ended_at - started_at)::int AS seconds, compute, price_list FROM usage_intervals
     JOIN billed_deployments ON id = billed_id WHERE uid = $1 ORDER BY started_at`,
    [uid],
  );
  expect(stored).toEqual([
    { seconds: 3600, compute: price!.compute, price_list: 1 },
    { seconds: 3600, compute: hourly * 73_000, price_list: number },
    { seconds: 3600, compute: price!.compute, price_list: 900 },
  ]);
});

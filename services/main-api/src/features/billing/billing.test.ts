import { idOf, type DeploymentId, type ReportData } from '@sluice/contracts';
import { client } from '@sluice/testing';
import { fieldIssues, mainApi, refusal } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

let clock = new Date('2026-03-10T12:00:00Z');
const on = mainApi({ replicas: 1, clock: () => clock });
const region = on.region();
const a = on.tenants();

const at = (text: string) => `2026-${text}Z`;
/** a cent a second for storage, two for compute: 730 hours have 2,628,000 seconds */
const price = { compute: 5_256_000, storage: 2_628_000, network: 0, telemetry: 0, data_retention: 0 };
type Usage = ReportData<'usage'>;

/** A deployment that has run, as its region reports it. */
async function aDeployment(tenant: TestTenant) {
  const created = await tenant.starter();
  const id = idOf<DeploymentId>(created.headers.get('svc-deployment') ?? '');
  const { deployment } = await region.shape(id);
  const { uid, storage } = deployment;
  const used = (from: string, to: string, more: Partial<Usage> = {}) =>
    region.report('usage', {
      ...{ deployment_id: id, uid, from: at(from), to: at(to), price, tier: 'small', nodes: 1, storage },
      ...more,
    });
  return { id, uid, used, path: created.headers.get('location') ?? '' };
}

const report = async ({ admin, path }: TestTenant, month = 202603) =>
  (await admin.get(`${path}/billing/reports/${month}`)).body;
const lines = async ({ admin, path }: TestTenant, query: string) =>
  ((await admin.get(`${path}/billing/usage?${query}`)).body as { lines: Record<string, unknown>[] }).lines;

describe('the prices', () => {
  test('are public, and are those of a preview', async () => {
    const acme = await a.tenant();
    const { status, body } = await client(on.replica().url).get('/pricing');
    expect(status).toBe(200);
    const pricing = body as { tiers: { tier: string; cloud: string; hourly: string }[] };
    const { hourly } = pricing.tiers.find(({ tier, cloud }) => tier === 'small' && cloud === 'cloud_a')!;
    const environment = await acme.add(`${acme.divisionPath}/environments`, { name: 'dev' });
    const preview = await acme.admin.post(
      `${acme.divisionPath}/environments/${environment}/deployments/preview`,
      { cloud: 'cloud_a', region: 'us-east-1', tier: 'small', nodes: 1 },
    );
    const { breakdown } = preview.body as { breakdown: { compute_usd: string } };
    expect(breakdown.compute_usd).toBe((Number(hourly) * 730).toFixed(2));
    expect(pricing.tiers.map(({ tier }) => tier)).not.toContain('free');
  });
});

describe('what regions report', () => {
  test('is stored once, however often and in whatever order it comes', async () => {
    const acme = await a.tenant();
    const { used } = await aDeployment(acme);
    await used('03-01T00:10:00', '03-01T00:20:00');
    await used('03-01T00:00:00', '03-01T00:10:00');
    await used('03-01T00:00:00', '03-01T00:05:00');
    await used('03-01T00:10:00', '03-01T00:20:00');
    await used('03-01T00:10:00', '03-01T00:30:00');
    expect(await report(acme)).toMatchObject({
      total_usd: '54.00',
      lines: [
        {
          seconds: 1800,
          total_usd: '54.00',
          breakdown: { compute_usd: '36.000000', storage_usd: '18.000000' },
        },
      ],
    });
  });

  test('of another shape at the same price is an interval of its own', async () => {
    const acme = await a.tenant();
    const { uid, used } = await aDeployment(acme);
    await used('03-02T00:00:00', '03-02T00:10:00');
    await used('03-02T00:10:00', '03-02T00:20:00', { nodes: 2 });
    await used('03-02T00:10:00', '03-02T00:30:00', { nodes: 2 });
    const stored = await on.sql(
      `SELECT nodes, extract(epoch FROM ended_at - started_at)::int AS seconds FROM usage_intervals
       JOIN billed_deployments b ON b.id = billed_id WHERE uid = $1 ORDER BY started_at`,
      [uid],
    );
    expect(stored).toEqual([
      { nodes: 1, seconds: 600 },
      { nodes: 2, seconds: 1200 },
    ]);
  });

  test('by a region that was restored from an older copy: what is known stays, what is missing is added', async () => {
    const acme = await a.tenant();
    const { used } = await aDeployment(acme);
    const twice = { ...price, compute: 2 * price.compute };
    await used('03-01T00:00:00', '03-01T00:10:00');
    await used('03-01T00:10:00', '03-01T00:20:00', { price: twice });
    // it has forgotten the change of the price, and has not run until 00:30
    await used('03-01T00:00:00', '03-01T00:15:00');
    await used('03-01T00:00:00', '03-01T00:25:00');
    expect(await report(acme)).toMatchObject({
      lines: [{ seconds: 1500, total_usd: '57.00' }],
    });
    const stored = await on.sql<{ count: number }>('SELECT count(*) AS count FROM usage_intervals');
    expect(Number(stored[0]?.count)).toBeGreaterThanOrEqual(3);
  });

  test('of a deployment that is gone is kept, under the names that it had', async () => {
    const acme = await a.tenant();
    const { id, uid, used } = await aDeployment(acme);
    await used('03-01T00:00:00', '03-01T00:10:00');
    await on.sql('UPDATE deployments SET delete_requested_at = now() WHERE id = $1', [id]);
    await region.removed(id, uid);
    await used('03-01T00:00:00', '03-01T00:20:00');
    expect(await report(acme)).toMatchObject({
      lines: [{ deployment: { id }, division: { id: acme.division }, seconds: 1200 }],
    });
  });

  test('of a deployment that is gone already when the first comes is kept as well', async () => {
    const acme = await a.tenant();
    const { id, uid, used } = await aDeployment(acme);
    await on.sql('UPDATE deployments SET delete_requested_at = now() WHERE id = $1', [id]);
    await region.removed(id, uid);
    await used('03-01T00:00:00', '03-01T00:20:00');
    expect(await report(acme)).toMatchObject({ lines: [{ deployment: { id }, seconds: 1200 }] });
  });

  test('of no deployment, or beyond a month, is put aside', async () => {
    const acme = await a.tenant();
    const { used } = await aDeployment(acme);
    await used('03-01T00:00:00', '03-01T00:10:00', { uid: '00000000-0000-4000-8000-000000000000' });
    await used('03-31T23:00:00', '04-01T00:10:00');
    await used('03-01T00:10:00', '03-01T00:10:00');
    expect(refusal(await acme.admin.get(`${acme.path}/billing/reports/202603`))).toBe('404 not_found');
  });

  test('two at once of the same deployment wait for each other', async () => {
    const acme = await a.tenant();
    const { used } = await aDeployment(acme);
    await Promise.all(
      [5, 10, 15, 20].map((minutes) =>
        used('03-01T00:00:00', `03-01T00:${String(minutes).padStart(2, '0')}:00`),
      ),
    );
    expect(await report(acme)).toMatchObject({ lines: [{ seconds: 1200 }] });
  });
});

describe('usage', () => {
  test('is split by hours, days and months, whose sums are the same to a millionth', async () => {
    const acme = await a.tenant();
    const { id, used } = await aDeployment(acme);
    await used('02-28T22:30:00', '03-01T00:00:00');
    await used('03-01T00:00:00', '03-02T06:00:00');
    const span = 'from=2026-02-28&to=2026-03-03';
    const hours = await lines(acme, `${span}&granularity=hour&group_by=deployment`);
    expect(hours).toHaveLength(2 + 30);
    expect(hours[0]).toMatchObject({
      from: '2026-02-28T22:00:00.000Z',
      to: '2026-02-28T23:00:00.000Z',
      about: { id },
      seconds: 1800,
      total_usd: '54.000000',
    });
    const days = await lines(acme, `${span}&group_by=division`);
    expect(days.map(({ seconds }) => seconds)).toEqual([5400, 86_400, 21_600]);
    const months = await lines(acme, `${span}&granularity=month`);
    expect(months.map(({ seconds, about }) => [seconds, about])).toEqual([
      [5400, undefined],
      [108_000, undefined],
    ]);
    const sum = (all: Record<string, unknown>[]) =>
      all.reduce((total, { total_usd }) => total + Number(total_usd), 0);
    expect([sum(hours), sum(days)]).toEqual([sum(months), sum(months)]);
  });

  test('is split by the parts of the price, and by labels as they were at the time', async () => {
    const acme = await a.tenant();
    const { id, uid, used } = await aDeployment(acme);
    await used('03-01T00:00:00', '03-01T02:00:00');
    const span = 'from=2026-03-01&to=2026-03-02';
    const parts = await lines(acme, `${span}&group_by=component`);
    expect(parts.map(({ component, total_usd }) => [component, total_usd])).toEqual([
      ['compute', '144.000000'],
      ['storage', '72.000000'],
    ]);
    const byTeam = async () =>
      (await lines(acme, `${span}&label=team`)).map(({ label, seconds }) => [label, seconds]);
    expect(await byTeam()).toEqual([[null, 7200]]);
    // the second change of labels is of the same second
    await on.sql(`UPDATE deployments SET labels = '{"team": "x"}' WHERE id = $1`, [id]);
    await on.sql(`UPDATE deployments SET labels = '{"team": "a", "stage": "prod"}' WHERE id = $1`, [id]);
    const history = await on.sql<{ labels: object }>(
      'SELECT labels FROM deployment_labels WHERE deployment_uid = $1 ORDER BY valid_from',
      [uid],
    );
    expect(history.at(-1)).toEqual({ labels: { team: 'a', stage: 'prod' } });
    await on.sql('DELETE FROM deployment_labels WHERE deployment_uid = $1', [uid]);
    expect(await byTeam()).toEqual([[null, 7200]]);
    await on.sql(
      `INSERT INTO deployment_labels (deployment_uid, valid_from, valid_to, labels) VALUES
         ($1, '-infinity', '2026-03-01T00:30Z', '{}'),
         ($1, '2026-03-01T00:30Z', '2026-03-01T01:00Z', '{"team": "x"}'),
         ($1, '2026-03-01T01:00Z', 'infinity', '{"team": "a", "stage": "prod"}')`,
      [uid],
    );
    expect(await byTeam()).toEqual([
      ['a', 3600],
      ['x', 1800],
      [null, 1800],
    ]);
    const hours = await lines(acme, `${span}&group_by=label&label=stage&granularity=hour`);
    expect(hours.map(({ label, seconds, total_usd }) => [label, seconds, total_usd])).toEqual([
      [null, 3600, '108.000000'],
      ['prod', 3600, '108.000000'],
    ]);
  });

  test('counts only what lies in the time that is asked for', async () => {
    const acme = await a.tenant();
    const { used } = await aDeployment(acme);
    await used('03-01T00:00:00', '03-02T00:00:00');
    const [only, ...more] = await lines(
      acme,
      'from=2026-03-01T10:15:00Z&to=2026-03-01T10:45:00Z&granularity=hour',
    );
    expect(more).toEqual([]);
    expect(only).toMatchObject({
      from: '2026-03-01T10:15:00.000Z',
      to: '2026-03-01T10:45:00.000Z',
      seconds: 1800,
    });
  });

  test.each([
    ['from=2026-03-02&to=2026-03-01', '/query/to too_small'],
    ['from=2024-01-01&to=2026-03-01', '/query/to too_large'],
    ['from=yesterday1', '/query/from wrong_format'],
    ['from=2026-01-01&to=2026-03-01&granularity=hour', '/query/granularity not_together'],
    ['group_by=label', '/query/label required'],
    ['group_by=division&label=team', '/query/label not_together'],
    ['label=%20', '/query/label'],
    ['group_by=month', '/query/group_by not_allowed'],
  ])('%s is refused', async (query, issue) => {
    const acme = await a.tenant();
    expect(fieldIssues(await acme.admin.get(`${acme.path}/billing/usage?${query}`)).join()).toContain(issue);
  });

  test('names the regions that are behind', async () => {
    const acme = await a.tenant();
    await aDeployment(acme);
    const behind = async () =>
      ((await acme.admin.get(`${acme.path}/billing/usage?from=2026-03-01`)).body as { behind: unknown[] })
        .behind;
    await on.sql('UPDATE regions SET usage_to = NULL');
    expect(await behind()).toEqual([{ cloud: 'cloud_a', region: 'us-east-1', usage_to: null }]);
    await region.register({ usage_to: at('03-10T09:00:00') });
    expect(await behind()).toMatchObject([{ usage_to: '2026-03-10T09:00:00.000Z' }]);
    await region.register({ usage_to: at('03-10T11:30:00') });
    await region.register({ usage_to: at('03-10T01:00:00') });
    expect(await behind()).toEqual([]);
  });
});

describe('the running month', () => {
  test('counts what runs on from the last report, and forecasts its end', async () => {
    const acme = await a.tenant();
    const { id, uid, used, path } = await aDeployment(acme);
    await on.sql(
      "UPDATE deployments SET tier = 'small', storage_type = 'network_balanced', storage_size = 100 WHERE id = $1",
      [id],
    );
    await region.status(id, 5, 'initialized', { uid, changed_at: at('03-10T10:00:00') });
    await used('03-10T10:00:00', '03-10T11:00:00');
    clock = new Date(at('03-10T12:00:00'));
    const parts = await acme.admin.post(path.replace(/\/\d+$/, '/preview'), {
      ...{ cloud: 'cloud_a', region: 'us-east-1', tier: 'small', nodes: 1 },
      storage: { type: 'network_balanced', size: 100 },
    });
    const monthly = Number((parts.body as { monthly_total_usd: string }).monthly_total_usd);
    const { body } = await acme.admin.get(`${path}/cost`);
    const left = (Date.UTC(2026, 3) - Date.parse(at('03-10T11:00:00'))) / 1000;
    expect(body).toMatchObject({
      from: '2026-03-01T00:00:00.000Z',
      total_usd: (108 + monthly / 730).toFixed(2),
      forecast_usd: (108 + (monthly * left) / (730 * 3600)).toFixed(2),
    });
    const all = await acme.admin.get(`${acme.path}/billing/current`);
    expect(all.body).toEqual(body);
    // stopped: nothing runs on
    await region.status(id, 6, 'stopped', { uid, changed_at: at('03-10T11:00:00') });
    expect((await acme.admin.get(`${path}/cost`)).body).toMatchObject({
      total_usd: '108.00',
      forecast_usd: '108.00',
    });
  });
});

describe('reports', () => {
  test('are listed by month, the newest first, with the totals that they have', async () => {
    const acme = await a.tenant();
    const { used } = await aDeployment(acme);
    await used('02-01T00:00:00', '02-01T00:00:01');
    await used('03-01T00:00:00', '03-01T00:01:00');
    const { body } = await acme.admin.get(`${acme.path}/billing/reports`);
    expect(body).toMatchObject({
      total_results: 2,
      items: [
        { id: 202603, from: '2026-03-01T00:00:00.000Z', to: '2026-04-01T00:00:00.000Z', total_usd: '1.80' },
        { id: 202602, total_usd: '0.03' },
      ],
    });
  });

  test.each([202613, 202600, 202604])('%i is none', async (id) => {
    const acme = await a.tenant();
    expect(refusal(await acme.admin.get(`${acme.path}/billing/reports/${id}`))).toBe('404 not_found');
  });

  test('of another tenant are not shown', async () => {
    const [acme, other] = [await a.tenant(), await a.tenant()];
    const { used } = await aDeployment(acme);
    await used('03-01T00:00:00', '03-01T00:01:00');
    expect(refusal(await other.admin.get(`${other.path}/billing/reports/202603`))).toBe('404 not_found');
    expect(refusal(await other.admin.get(`${acme.path}/billing/reports/202603`))).toMatch(/^40[34] /);
  });

  test('need billing:read, the cost of a deployment deployment:read', async () => {
    const acme = await a.tenant();
    const { path } = await aDeployment(acme);
    const reader = await acme.with({ tenant: ['billing:read'] });
    const stranger = await acme.with({ tenant: ['info:read'] });
    for (const what of ['usage', 'usage/export', 'current', 'reports', 'budgets', 'info']) {
      expect((await reader.get(`${acme.path}/billing/${what}`)).status).toBe(200);
      expect(refusal(await stranger.get(`${acme.path}/billing/${what}`))).toBe('403 forbidden');
    }
    expect(refusal(await reader.put(`${acme.path}/billing/info`, {}))).toBe('403 forbidden');
    expect(refusal(await stranger.get(`${path}/cost`))).toMatch(/^40[34] /);
  });
});

describe('whom invoices are made out to', () => {
  const info = {
    name: 'Ada Lovelace',
    company: 'Acme Ltd',
    city: 'London',
    country: 'GB',
    email: 'a@acme.example',
  };
  const empty = { ...{ address: null, state: null, postal_code: null, tax_id: null, phone: null } };

  test('is replaced as a whole; the audit log names the fields alone', async () => {
    const acme = await a.tenant();
    const path = `${acme.path}/billing/info`;
    expect((await acme.admin.get(path)).body).toEqual({
      ...empty,
      ...{ name: null, company: null, city: null, country: null, email: null },
    });
    expect((await acme.admin.put(path, info)).status).toBe(204);
    expect((await acme.admin.get(path)).body).toEqual({ ...empty, ...info });
    const changed = await acme.admin.put(path, { ...info, city: null, phone: '+44 1' });
    expect(changed.status).toBe(204);
    expect((await acme.admin.get(path)).body).toEqual({ ...empty, ...info, city: null, phone: '+44 1' });
    const { data } = await region.event('billing_info_updated', changed.headers);
    expect((data as { fields: string[] }).fields.toSorted()).toEqual(['city', 'phone']);
  });

  test.each([
    [{ country: 'ZZ' }, '/body/country unknown'],
    [{ country: 'Germany' }, '/body/country'],
    [{ email: 'nobody' }, '/body/email wrong_format'],
    [{ name: '' }, '/body/name'],
    [{ vat: 'DE1' }, 'unknown_field'],
  ])('%j is refused', async (body, issue) => {
    const acme = await a.tenant();
    expect(fieldIssues(await acme.admin.put(`${acme.path}/billing/info`, body)).join()).toContain(issue);
  });
});

import { idOf, type DeploymentId } from '@sluice/contracts';
import { parse } from 'csv-parse/sync';
import { Decimal } from 'decimal.js';
import { fieldIssues, mainApi } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi({ replicas: 1, clock: () => new Date('2026-04-02T12:00:00Z') });
on.region();
const a = on.tenants();

type Line = Record<string, string>;

async function exported({ path, key }: TestTenant, query: string): Promise<string> {
  const answer = await fetch(`${on.replica().url}${path}/billing/usage/export?${query}`, {
    headers: { 'svc-api-key': key },
  });
  const text = await answer.text();
  // a refusal says why
  expect([answer.status, answer.ok ? '' : text]).toEqual([200, '']);
  return text;
}

/** Deployments that have run at many prices, in seconds and cents that leave fractions. */
async function fill(tenant: TestTenant, deployments: number, intervals: number): Promise<void> {
  const id = idOf<DeploymentId>((await tenant.starter()).headers.get('svc-deployment') ?? '');
  await on.sql(
    `INSERT INTO billed_deployments (uid, deployment_id, tenant_id, division_id, environment_id, name, division_name,
       environment_name, cloud, region)
     SELECT gen_random_uuid(), n, $1, division_id, environment_id, name || n, '=1+1', 'prod', cloud, region
     FROM deployments, generate_series(1, $3::int) AS n WHERE id = $2`,
    [tenant.id, id, deployments],
  );
  await on.sql(
    `INSERT INTO usage_intervals
     SELECT b.id, timestamptz '2026-03-01Z' + n * interval '1 hour', timestamptz '2026-03-01Z' + n * interval '1 hour' + (n * 7 + b.deployment_id) % 3600 * interval '1 second' + interval '1 second',
       n * 13 + 1, b.deployment_id, 3, n % 2, 5, 'small', 1, 'local_ssd', NULL, 1, NULL, 'single_az', 7
     FROM billed_deployments b, generate_series(0, $2::int - 1) AS n WHERE b.tenant_id = $1`,
    [tenant.id, intervals],
  );
  await on.sql(
    `INSERT INTO deployment_labels (deployment_uid, valid_from, valid_to, labels)
     SELECT uid, f, t, l FROM billed_deployments, (VALUES
       ('-infinity'::timestamptz, timestamptz '2026-03-03T00:00:01Z', '{}'::jsonb),
       (timestamptz '2026-03-03T00:00:01Z', 'infinity', '{"team": "a"}')) AS v (f, t, l)
     WHERE tenant_id = $1 AND deployment_id % 2 = 0`,
    [tenant.id],
  );
}

const costOf: Record<string, (text: string) => [deployment: string, cost: string][]> = {
  ndjson: (text) =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { deployment: { id: number }; total_usd: string })
      .map(({ deployment, total_usd }) => [String(deployment.id), total_usd]),
  csv: (text) =>
    (parse(text, { columns: true }) as Line[]).map((line) => [line['deployment_id']!, line['total_usd']!]),
  focus: (text) =>
    (parse(text, { columns: true }) as Line[]).map((line) => [line['ResourceName']!, line['BilledCost']!]),
};

test('the sum of each format is the report, to the cent, by deployment; batches leave nothing out', async () => {
  const acme = await a.tenant();
  await fill(acme, 4, 700);
  const { body } = await acme.admin.get(`${acme.path}/billing/reports/202603`);
  const report = body as { total_usd: string; lines: { total_usd: string }[] };
  for (const [format, read] of Object.entries(costOf)) {
    const lines = read(await exported(acme, `from=2026-03-01&to=2026-04-01&format=${format}`));
    // two of the deployments change their labels within an interval
    expect(lines).toHaveLength(4 * 700 + 2);
    const byDeployment = new Map<string, Decimal>();
    for (const [deployment, cost] of lines)
      byDeployment.set(deployment, (byDeployment.get(deployment) ?? new Decimal(0)).plus(cost));
    const sums = [...byDeployment.values()].map((sum) => sum.toDecimalPlaces(2, Decimal.ROUND_HALF_UP));
    expect(sums.map((sum) => sum.toFixed(2)).toSorted()).toEqual(
      report.lines.map(({ total_usd }) => total_usd).toSorted(),
    );
    expect(Decimal.sum(...sums).toFixed(2)).toBe(report.total_usd);
  }
}, 60_000);

test('a part of a month has the part of its intervals, and texts are no formulas', async () => {
  const acme = await a.tenant();
  await fill(acme, 1, 3);
  const query = 'from=2026-03-01T00:00:00.500Z&to=2026-03-01T01:00:02Z';
  const [first, second, ...more] = parse(await exported(acme, `${query}&format=csv`), {
    columns: true,
  }) as Line[];
  expect(more).toEqual([]);
  expect(first).toMatchObject({ from: '2026-03-01T00:00:00.500Z', seconds: '1.5', division_name: "'=1+1" });
  expect(second).toMatchObject({ from: '2026-03-01T01:00:00.000Z', to: '2026-03-01T01:00:02.000Z' });
  const focus = parse(await exported(acme, `${query}&format=focus`), { columns: true }) as Line[];
  expect(focus[0]).toMatchObject({
    BillingPeriodStart: '2026-03-01T00:00:00.000Z',
    BillingPeriodEnd: '2026-04-01T00:00:00.000Z',
    BillingCurrency: 'USD',
    ChargeCategory: 'Usage',
    Tags: '{}',
  });
  expect(await exported(acme, 'from=2026-01-01&to=2026-02-01')).toBe('');
});

test.each([
  ['from=2026-03-02&to=2026-03-01', '/query/to too_small'],
  ['from=2024-01-01&to=2026-03-01', '/query/to too_large'],
  ['format=xml', '/query/format'],
])('%s is refused', async (query, issue) => {
  const acme = await a.tenant();
  const answer = await acme.admin.get(`${acme.path}/billing/usage/export?${query}`);
  expect(fieldIssues(answer).join()).toContain(issue);
});

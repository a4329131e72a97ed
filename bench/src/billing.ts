import { readFile, writeFile } from 'node:fs/promises';
import { client, eventually, startReplicas } from '@sluice/testing';
import { cpuOf } from './api/processes.ts';
import { statusChanges } from './billing/intervals.ts';
import { median, table } from './report.ts';

/**
 * What invoices cost: a month of many deployments is closed by one replica of main-api, and a tenant reads its usage of a year. Beside the bare
 * statement that adds up and stores the same, in the same run. And what usage costs the region: changes of status with and without intervals.
 *
 * Aims: 100,000 deployments closed in 60 s with flat memory, a year of 1,000 in 100 ms. Seconds of CPU say what the machine would take without
 * other load.
 *
 * npm run bench:billing [-- tenants deployments], such as 1000 100: so many deployments of each tenant
 */
const tenants = Number(process.argv[2] ?? 1_000);
const each = Number(process.argv[3] ?? 100);
const ofOne = 1_000;
const reads = 20;
const patience = 10 * 60_000;
const seller = { name: 'Bench', address: ['Bench'], country: 'DE' };
const month = (before: number) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - before)).toISOString();
};

/** the same as `GET …/billing/usage` adds up, without a rule */
const yearOf = `SELECT date_trunc('month', started_at, 'UTC'),
    sum(extract(epoch FROM ended_at - started_at)), sum(extract(epoch FROM ended_at - started_at) * compute)
  FROM billed_deployments b JOIN usage_intervals u ON u.billed_id = b.id WHERE tenant_id = $1 GROUP BY 1`;

const stack = await startReplicas(1, {
  layers: ['main-api'],
  environment: { BILLING_SELLER: JSON.stringify(seller), BILLING_VAT_RATES: '{"DE": 19}' },
});
try {
  const [main] = stack.of('main-api');
  if (!main) throw new Error('there is no main-api');
  const { pid } = main.process;
  await fill(1_000_000, tenants, each, 1);
  await fill(stack.tenant_id, 1, ofOne, 12);
  await stack.query('UPDATE usage_months SET open = false WHERE month < $1', [month(1)]);
  await stack.query('VACUUM ANALYZE');

  const sums = await timed(() =>
    stack.query(`CREATE TABLE bare AS
      SELECT billed_id, sum(extract(epoch FROM ended_at - started_at) * (compute + storage)) AS amount
      FROM usage_intervals WHERE started_at >= '${month(1)}' AND started_at < '${month(0)}' GROUP BY billed_id`),
  );
  const before = await memory(pid, 'VmRSS');
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined);
  const cpu = () => [cpuOf(pid ?? 0), cpuOf(stack.postgres, { children: true })] as const;
  const [mainBefore, postgresBefore] = cpu();
  const closing = await timed(close);
  const [mainAfter, postgresAfter] = cpu();
  const peak = await memory(pid, 'VmHWM');
  const [issued] = await stack.query<{ invoices: number; lines: number; last: number }>(
    `SELECT count(*)::int AS invoices, (SELECT last FROM invoice_numbers)::int AS last,
       (SELECT count(*)::int FROM invoice_lines WHERE kind = 'usage') AS lines FROM invoices`,
  );
  if (issued?.invoices !== tenants + 1 || issued.last !== tenants + 1)
    throw new Error(JSON.stringify(issued));
  const head = [
    ...[`${issued.lines} lines`, 'seconds', 'CPU s main-api', 'CPU s PostgreSQL', 'bare statement', 'times'],
    ...['memory MB', 'peak MB'],
  ];
  const [mainCpu, postgresCpu] = [(mainAfter - mainBefore) / 1e6, (postgresAfter - postgresBefore) / 1e6];
  const row = [closing, mainCpu, postgresCpu, sums, closing / sums, before, peak].map((value) =>
    value.toFixed(1),
  );
  process.stdout.write(`${table(head, [[`${issued.invoices} invoices`, ...row]])}\n\n`);

  const api = client(main.url, stack.api_key);
  const path = `/tenants/${stack.tenant_id}/billing/usage?from=${month(12)}&to=${month(0)}&granularity=month`;
  const took: number[] = [];
  const bare: number[] = [];
  const cpuBefore = cpuOf(stack.postgres, { children: true });
  for (let read = 0; read < reads; read++)
    took.push(1_000 * (await timed(async () => expectStatus((await api.get(path)).status))));
  const readCpu = (cpuOf(stack.postgres, { children: true }) - cpuBefore) / 1_000 / reads;
  for (let read = 0; read < reads; read++)
    bare.push(1_000 * (await timed(() => stack.query(yearOf, [stack.tenant_id]))));
  const [one, other] = [median(took), median(bare)];
  const shown = [one, readCpu, other, one / other].map((value) => value.toFixed(1));
  const reading = [
    `usage of a year, ${ofOne} deployments`,
    'ms',
    'CPU ms PostgreSQL',
    'bare statement',
    'times',
  ];
  process.stdout.write(`${table(reading, [['median', ...shown]])}\n\n`);

  const { free, priced, cpu: cpuOfChanges } = await statusChanges();
  const changes = ['a change of status in the region', 'ms', 'CPU ms PostgreSQL'];
  const rows = (
    [
      ['that costs nothing', free, cpuOfChanges.free],
      ['with an interval', priced, cpuOfChanges.priced],
    ] as const
  ).map(([name, ms, cpuMs]) => [name, ms.toFixed(2), cpuMs.toFixed(2)]);
  process.stdout.write(`${table(changes, rows)}\n`);
} finally {
  await stack.remove();
}

function expectStatus(status: number): void {
  if (status !== 200) throw new Error(`usage is answered with ${status}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1_000;
}

/** Has main-api close the last month. */
async function close(): Promise<void> {
  const [request] = await stack.query<{ id: number }>(
    'INSERT INTO closing_requests (month, dry_run) VALUES ($1, false) RETURNING id',
    [month(1)],
  );
  await stack.query("SELECT pg_notify('closing_requests', '')");
  await eventually(
    async () => {
      const done = 'SELECT FROM closing_requests WHERE id = $1 AND done_at IS NOT NULL';
      if ((await stack.query(done, [request?.id])).length === 0) throw new Error('not closed yet');
    },
    { timeoutMs: patience, everyMs: 100 },
  );
}

/** Deployments of tenants from an id on, with four intervals in each of the last months. */
async function fill(first: number, count: number, deployments: number, months: number): Promise<void> {
  await stack.query(
    `INSERT INTO billed_deployments (uid, deployment_id, tenant_id, division_id, environment_id, name, division_name,
       environment_name, cloud, region)
     SELECT gen_random_uuid(), t * 1000 + d, $1::bigint + t, 1, 1, 'deployment-' || d, 'division', 'environment', 'cloud_a', 'us-east-1'
     FROM generate_series(0, $2::int - 1) t, generate_series(1, $3::int) d`,
    [first, count, deployments],
  );
  const own = 'billed_deployments b WHERE b.tenant_id >= $1::bigint AND b.tenant_id < $1::bigint + $2::int';
  for (let before = months; before >= 1; before--) {
    const values = [first, count, month(before)];
    await stack.query(
      `INSERT INTO usage_intervals (billed_id, started_at, ended_at, compute, storage, network, telemetry, data_retention,
         tier, nodes, storage_type)
       SELECT b.id, $3::timestamptz + i * interval '7 days', $3::timestamptz + (i + 1) * interval '7 days', 3000 + i, 950, 125, 0, 0,
         'small', 1, 'local_ssd'
       FROM generate_series(0, 3) i, ${own}`,
      values,
    );
    await stack.query(
      `INSERT INTO usage_months (billed_id, month) SELECT b.id, $3::timestamptz FROM ${own}`,
      values,
    );
  }
}

/** Megabytes, as Linux counts them. */
async function memory(pid: number | undefined, which: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(new RegExp(`${which}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1_024;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { startReplicas, type Replica, type ReplicatedStack } from '@sluice/testing';
import pg from 'pg';
import type { Load, Measured } from './api/load.ts';
import { cpuOf } from './api/processes.ts';
import { profiled } from './api/profile.ts';
import { filling } from './api/statements.ts';
import { deployment } from './api/deployment.ts';
import { median, table } from './report.ts';

/**
 * What the request path costs: operations of each layer, as in production (logs, limits and checks on), beside bare `node:http`
 * and bare Express with `pg` and the same statements, in turns in one run. A closed loop asks, from a process of its own. Ratios
 * are medians of those of each round, so that a machine that is busy now and then counts for all.
 *
 * npm run bench:api [-- rounds [requests [operation]]]
 */
const rounds = Number(process.argv[2] ?? 5);
/** of each contender in each round; as many before, for the engine to have compiled what is hot */
const requests = Number(process.argv[3] ?? 8_000);
const only = process.argv[4];
const connections = 16;

interface Operation {
  name: string;
  layer: Replica['layer'];
  method: Load['method'];
  paths: string[];
}

interface Contender {
  url: string;
  pid: number;
}

interface Sample extends Measured {
  /** microseconds of CPU per request */
  cpu: number;
  databaseCpu: number;
}

const settings = {
  LOG_LEVEL: 'info',
  NODE_OPTIONS: '--inspect-port=127.0.0.1:0',
  // a busy machine shall not lose its lease
  GRANT_LEASE_SECONDS: '30',
  // main-api does not know the deployment that is asked for
  INVENTORY_SECONDS: '86400',
};
const stack = await startReplicas(1, { environment: settings, keepLogs: true });
const bare = { http: await startBare('http'), express: await startBare('express') };
try {
  const ids = await fill(stack);
  const operations = operationsOn(stack.tenant_id, ids).filter(({ name }) => name.includes(only ?? ''));
  const rows: string[][] = [];
  const profiles: string[] = [];
  for (const operation of operations) {
    const [replica] = stack.of(operation.layer);
    if (!replica?.log) throw new Error(`there is no ${operation.layer}`);
    const sluice = { url: replica.url, pid: replica.process.pid ?? 0 };
    rows.push(...(await compare(operation, { ...bare, Sluice: sluice })));
    const shares = await profiled(
      sluice.pid,
      replica.log,
      async () => void (await load(operation, sluice.url)),
    );
    const largest = shares
      .filter(([, share]) => share >= 0.01)
      .map(([owner, share]) => [owner, percent(share)]);
    profiles.push(table([`${operation.name}: where the time goes`, 'share'], largest));
    process.stderr.write(`${operation.name}: done\n`);
  }
  const head = [
    'operation',
    'requests/s',
    'of bare http',
    'p50 ms',
    'p99 ms',
    'times',
    'CPU µs',
    'times',
    'PostgreSQL µs',
  ];
  process.stdout.write(`${[table(head, rows), ...profiles].join('\n\n')}\n`);
} finally {
  for (const { process: child } of Object.values(bare)) child.kill();
  await stack.remove();
}

function operationsOn(
  tenant: number,
  { divisions, deploymentId }: Awaited<ReturnType<typeof fill>>,
): Operation[] {
  const division = (id: number) => `/tenants/${tenant}/divisions/${id}`;
  return [
    { name: 'get a division', layer: 'main-api', method: 'GET', paths: divisions.map(division) },
    {
      name: 'list 10 divisions',
      layer: 'main-api',
      method: 'GET',
      paths: [`/tenants/${tenant}/divisions?results=10`],
    },
    { name: 'update a division', layer: 'main-api', method: 'PUT', paths: divisions.map(division) },
    {
      name: 'get a live deployment',
      layer: 'supervisor',
      method: 'GET',
      paths: [`/deployments/${deploymentId}`],
    },
    {
      name: 'list 10 audit entries',
      layer: 'audit',
      method: 'GET',
      paths: [`/audit/tenants/${tenant}?results=10`],
    },
  ];
}

/** Measures the contenders in turns. @returns a row for each */
async function compare(operation: Operation, contenders: Record<string, Contender>): Promise<string[][]> {
  const samples = new Map(Object.keys(contenders).map((name) => [name, [] as Sample[]]));
  for (const { url } of Object.values(contenders)) await load(operation, url);
  for (let round = 0; round < rounds; round++)
    for (const [name, contender] of Object.entries(contenders))
      samples.get(name)?.push(await measure(operation, contender));
  const baseline = samples.get('http') ?? [];
  return [...samples].map(([name, taken]) => {
    const rate = (sample: Sample) => sample.requests / sample.seconds;
    const middle = (of: (sample: Sample) => number) => median(taken.map(of));
    const ratio = (of: (sample: Sample) => number) =>
      median(taken.map((sample, i) => of(sample) / of(baseline[i] as Sample))).toFixed(2);
    return [
      `${operation.name}: ${name === 'Sluice' ? name : `bare ${name}`}`,
      middle(rate).toFixed(0),
      ratio(rate),
      middle(({ p50 }) => p50).toFixed(2),
      middle(({ p99 }) => p99).toFixed(2),
      ratio(({ p99 }) => p99),
      middle(({ cpu }) => cpu).toFixed(0),
      ratio(({ cpu }) => cpu),
      middle(({ databaseCpu }) => databaseCpu).toFixed(0),
    ];
  });
}

async function measure(operation: Operation, { url, pid }: Contender): Promise<Sample> {
  const before = [cpuOf(pid), cpuOf(stack.postgres, { children: true })] as const;
  const measured = await load(operation, url);
  const after = [cpuOf(pid), cpuOf(stack.postgres, { children: true })] as const;
  return {
    ...measured,
    cpu: (after[0] - before[0]) / measured.requests,
    databaseCpu: (after[1] - before[1]) / measured.requests,
  };
}

async function load({ method, paths }: Operation, url: string): Promise<Measured> {
  const changes = method === 'PUT';
  const headers = { 'svc-api-key': stack.api_key, ...(changes && { 'content-type': 'application/json' }) };
  const child = spawn(process.execPath, [new URL('api/load.ts', import.meta.url).pathname], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(
    JSON.stringify({ url, connections, requests, method, headers, paths, changes } satisfies Load),
  );
  const answer = await text(child.stdout);
  return JSON.parse(answer) as Measured;
}

async function startBare(framework: 'http' | 'express') {
  const { databases } = stack;
  const child = spawn(process.execPath, [new URL('api/bare.ts', import.meta.url).pathname, framework], {
    env: {
      MAIN_API_URL: databases['main-api'],
      SUPERVISOR_URL: databases.supervisor,
      AUDIT_URL: databases.audit,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${port.toString().trim()}`, pid: child.pid ?? 0, process: child };
}

/** Stores what is asked for, where no operation has to make it. */
async function fill({ databases, tenant_id, division_id }: ReplicatedStack) {
  const run = async (layer: Replica['layer'], statement: string, values: unknown[] = []) => {
    const client = new pg.Client({ connectionString: databases[layer] });
    await client.connect();
    const { rows } = await client.query<{ id: string }>(statement, values);
    await client.end();
    return rows;
  };
  await run('main-api', filling['main-api'], [tenant_id]);
  await run('main-api', filling.messages);
  await run('audit', filling.audit, [tenant_id]);
  const { id: deploymentId, statements } = deployment(tenant_id, division_id);
  for (const { statement, values } of statements) await run('supervisor', statement, values);
  const rows = await run('main-api', 'SELECT id FROM divisions WHERE tenant_id = $1', [tenant_id]);
  return { divisions: rows.map(({ id }) => Number(id)), deploymentId };
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { client, eventually, insertInitialized, type SimulatedNode } from '@sluice/testing';
import { cpuOf } from './api/processes.ts';
import { playAgents, type PlayedAgents } from './reconciler/agents.ts';
import { firstInserted, startRegion } from './reconciler/region.ts';
import { spread, table } from './report.ts';

/**
 * What a fleet of nodes costs a supervisor that only runs: agents with real tokens over the real API, a poll that is always held, a
 * heartbeat every 10 s, a batch of metrics every 30 s; and the time from a change (an access rule) to the node that is given it. Beside
 * a bare `node:http` with one statement for each of these, in the same run.
 *
 * npm run bench:fleet [-- seconds [sizes]], such as 60 200,2000
 */
const seconds = Number(process.argv[2] ?? 60);
const sizes = (process.argv[3] ?? '200,2000').split(',').map(Number);
const heartbeatSeconds = 10;
const telemetrySeconds = 30;
const changePauseMilliseconds = 100;

const region = await startRegion();
const nodes: SimulatedNode[] = [];
const keys = new Map<number, string>();
let rules = 0;
try {
  const rows: string[][] = [];
  for (const size of sizes) {
    await grow(size);
    const bare = await startBare();
    rows.push(await measure(`${size} nodes, bare`, bare.url, bare.pid, (node) => changeBare(bare.url, node)));
    bare.kill();
    await region.pool.query('UPDATE deployments SET revision = 1; UPDATE nodes SET applied_revision = 1');
    const [url = ''] = region.urls;
    rows.push(
      await measure(`${size} nodes, Sluice`, url, region.supervisors[0] ?? 0, (node) =>
        changeRules(url, node),
      ),
    );
  }
  const head = [
    `a heartbeat every ${heartbeatSeconds} s, metrics every ${telemetrySeconds} s`,
    ...['process % of a core', 'per node, ‰', 'memory MiB', 'PostgreSQL %', 'WAL KiB/s'],
    ...['heartbeats/s', 'failures', 'changes', 'change to node: ms median', 'p99', 'max'],
  ];
  process.stdout.write(`${table(head, rows)}\n`);
} finally {
  await region.remove();
}

type Change = (node: SimulatedNode) => Promise<unknown>;

async function measure(name: string, url: string, pid: number, change: Change): Promise<string[]> {
  const given = new Map<number, () => void>();
  const fleet = nodes.slice(0, Number.parseInt(name, 10));
  const played = playAgents([url], fleet, heartbeatSeconds, {
    telemetry: telemetrySeconds,
    onState: ({ id }) => given.get(id)?.(),
  });
  await settled(played);
  played.begin();
  const before = await taken(pid);
  const until = performance.now() + seconds * 1000;
  const took: number[] = [];
  for (let round = 0; performance.now() < until; round++) {
    // with a stride, so that no deployment has too many rules
    const node = fleet[(round * 7) % fleet.length];
    if (node) took.push(await timeOf(node, change, given));
    await pause(changePauseMilliseconds);
  }
  const after = await taken(pid);
  const { heartbeats, failures } = played;
  const memory = memoryOf(pid);
  await played.stop();
  process.stderr.write(`${name}: done\n`);
  const elapsed = (after.at - before.at) / 1000;
  const percent = (microseconds: number) => microseconds / elapsed / 1e4;
  const share = percent(after.cpu - before.cpu);
  const [median = '', , , max = ''] = spread(took);
  const sorted = took.toSorted((a, b) => a - b);
  const p99 = sorted[Math.min(sorted.length - 1, Math.floor(0.99 * sorted.length))] ?? NaN;
  return [
    ...[name, share.toFixed(1), ((10 * share) / fleet.length).toFixed(2), memory.toFixed(0)],
    percent(after.database - before.database).toFixed(1),
    ((after.wal - before.wal) / 1024 / elapsed).toFixed(0),
    ...[(heartbeats / elapsed).toFixed(0), String(failures), String(took.length)],
    ...[median, p99.toFixed(0), max],
  ];
}

/** Milliseconds from the request of a change to the moment that the node's agent has it. */
async function timeOf(node: SimulatedNode, change: Change, given: Map<number, () => void>): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>();
  given.set(node.id, resolve);
  const begun = performance.now();
  const changed = change(node);
  await Promise.race([
    promise,
    pause(30_000).then(() => Promise.reject(new Error(`node ${node.id} was not told`))),
  ]);
  const took = performance.now() - begun;
  given.delete(node.id);
  await changed;
  return took;
}

async function changeBare(url: string, { id }: SimulatedNode): Promise<void> {
  await fetch(`${url}/change/${id}`, { method: 'POST' });
}

async function changeRules(url: string, { id }: SimulatedNode): Promise<void> {
  const tenant = 1 + (id % 100);
  const key = keys.get(tenant) ?? (await region.key(tenant));
  keys.set(tenant, key);
  const answer = await client(url, key).post(`/deployments/${id}/access_rules`, {
    name: `rule-${++rules}`,
    cidr_blocks: ['192.0.2.0/24'],
    rules: { broker_http: false, broker_tcp: true, broker_websocket: false, broker_udp: false },
  });
  if (answer.status !== 201)
    throw new Error(`a rule was not created: ${answer.status} ${JSON.stringify(answer.body)}`);
}

/** All agents come at once, which they do only here: waits until what that has left is done, or for a minute. */
async function settled(played: PlayedAgents): Promise<void> {
  for (let round = 0; round < 6; round++) {
    played.begin();
    await pause(heartbeatSeconds * 1000);
    if (round > 0 && played.heartbeats > 0 && Math.max(...played.milliseconds) < 1_000) return;
  }
}

async function taken(pid: number) {
  const { rows } = await region.pool.query<{ wal: string }>(
    `SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS wal`,
  );
  return {
    at: performance.now(),
    cpu: cpuOf(pid),
    database: cpuOf(region.postgres, { children: true }),
    wal: Number(rows[0]?.wal),
  };
}

/** In MiB; NaN where there is no /proc. */
function memoryOf(pid: number): number {
  try {
    const [, kibibytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kibibytes) / 1024;
  } catch {
    return NaN;
  }
}

/** Has at least `size` deployments inserted, and a key of each of their tenants that the supervisor knows. */
async function grow(size: number): Promise<void> {
  while (nodes.length < size) {
    const count = Math.min(1_000, size - nodes.length);
    nodes.push(...(await insertInitialized(region.pool, count, { firstId: firstInserted + nodes.length })));
  }
  await region.pool.query(
    `UPDATE deployments SET spec = jsonb_set(spec, '{limits,access_rules}', '10000'), sealed_password = $1`,
    [await region.seal('a password')],
  );
  await region.pool.query('VACUUM ANALYZE');
  await region.pool.query('CHECKPOINT');
  for (const { id } of nodes) {
    const tenant = 1 + (id % 100);
    if (!keys.has(tenant)) keys.set(tenant, await region.key(tenant));
  }
  const [node] = nodes;
  const key = keys.get(1 + ((node?.id ?? 0) % 100)) ?? '';
  await eventually(async () => {
    const { status } = await client(region.urls[0] ?? '', key).get(`/deployments/${node?.id}`);
    if (status !== 200) throw new Error(`the supervisor does not know its keys: ${status}`);
  });
}

async function startBare() {
  const child = spawn(process.execPath, [new URL('reconciler/bare.ts', import.meta.url).pathname], {
    env: { DATABASE_URL: region.databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${port.toString().trim()}`, pid: child.pid ?? 0, kill: () => child.kill() };
}

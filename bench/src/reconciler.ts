import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { insertInitialized, type SimulatedNode } from '@sluice/testing';
import { cpuOf } from './api/processes.ts';
import { profiled } from './api/profile.ts';
import { playAgents, type PlayedAgents } from './reconciler/agents.ts';
import { firstInserted, startRegion } from './reconciler/region.ts';
import { spread, table } from './report.ts';

/**
 * What deployments cost a region when nothing happens to them, what a new one takes among them, and what the agents of their nodes
 * cost: a supervisor, or replicas of it, and its PostgreSQL, nodes simulated, agents with real tokens over the real API, all in
 * one run. Beside an idle supervisor, and a bare `node:http` with one statement for each heartbeat.
 *
 * npm run bench:reconciler [-- seconds [sizes [nodes [replicas]]]], such as 15 1,100,1000,10000 2000 1
 */
const seconds = Number(process.argv[2] ?? 15);
const sizes = (process.argv[3] ?? '1,100,1000,10000').split(',').map(Number);
const nodeCount = Number(process.argv[4] ?? 2_000);
const replicas = Number(process.argv[5] ?? 1);
const heartbeatSeconds = 10;
const creations = 9;

const region = await startRegion(replicas);
const nodes: SimulatedNode[] = [];
try {
  const rows = [await idle(0)];
  for (const size of sizes) {
    await grow(size);
    rows.push(await idle(size));
  }
  const idleHead = [
    'initialized deployments',
    ...['supervisor % of a core', 'PostgreSQL %', 'WAL KiB/s', 'looks/s'],
    ...['new one: ms median', 'min', 'p90', 'max'],
  ];
  process.stdout.write(`${table(idleHead, rows)}\n\n`);

  await grow(nodeCount);
  const bare = await startBare();
  const agentRows = [
    await agents('bare node:http, one statement each', [bare.url], [bare.pid]),
    await agents('Sluice', region.urls, region.supervisors),
  ];
  bare.kill();
  const agentHead = [
    `${nodeCount} nodes, a heartbeat every ${heartbeatSeconds} s`,
    ...['process % of a core', 'PostgreSQL %', 'WAL KiB/s', 'heartbeats/s', 'failures'],
    ...['heartbeat: ms median', 'min', 'p90', 'max'],
  ];
  process.stdout.write(`${table(agentHead, agentRows)}\n\n`);
  process.stdout.write(`${await profile()}\n`);
} finally {
  await region.remove();
}

/** Measures a time in which nothing happens, and then new deployments one after the other. */
async function idle(size: number): Promise<string[]> {
  await pause(2_000);
  const used = await usage(region.supervisors, () => pause(seconds * 1000));
  const made = [];
  for (let i = 0; i < creations; i++) made.push(await region.create());
  process.stderr.write(`${size} deployments: done\n`);
  return [String(size), ...used, ...spread(made)];
}

async function agents(name: string, urls: readonly string[], pids: readonly number[]): Promise<string[]> {
  const played = playAgents(urls, nodes.slice(0, nodeCount), heartbeatSeconds);
  await settled(played);
  played.begin();
  // looks are no matter here
  const [cpu, database, wal] = await usage(pids, () => pause(seconds * 1000));
  const { heartbeats, failures, milliseconds } = played;
  await played.stop();
  process.stderr.write(`${name}: done\n`);
  const rate = (heartbeats / seconds).toFixed(0);
  return [name, ...[cpu, database, wal].map(String), rate, String(failures), ...spread(milliseconds)];
}

/** All agents come at once, which they do only here: waits until what that has left is done, or for a minute. */
async function settled(played: PlayedAgents): Promise<void> {
  for (let round = 0; round < 6; round++) {
    played.begin();
    await pause(heartbeatSeconds * 1000);
    if (round > 0 && played.heartbeats > 0 && Math.max(...played.milliseconds) < 1_000) return;
  }
}

async function profile(): Promise<string> {
  const played = playAgents(region.urls, nodes.slice(0, nodeCount), heartbeatSeconds);
  await settled(played);
  const shares = await profiled(region.supervisors[0] ?? 0, region.log, () => pause(10_000));
  await played.stop();
  const largest = shares.filter(([, share]) => share >= 0.01);
  return table(
    ['agents: where the time of the supervisor goes', 'share'],
    largest.map(([owner, share]) => [owner, `${(100 * share).toFixed(1)} %`]),
  );
}

/** CPU of the processes and of PostgreSQL, WAL, and looks at deployments, while `work` runs. */
async function usage(pids: readonly number[], work: () => Promise<unknown>): Promise<string[]> {
  const before = await taken(pids);
  await work();
  const after = await taken(pids);
  const elapsed = (after.at - before.at) / 1000;
  const percent = (microseconds: number) => (microseconds / elapsed / 1e4).toFixed(1);
  return [
    percent(after.cpu - before.cpu),
    percent(after.database - before.database),
    ((after.wal - before.wal) / 1024 / elapsed).toFixed(1),
    ((after.looks - before.looks) / elapsed).toFixed(1),
  ];
}

async function taken(pids: readonly number[]) {
  const { rows } = await region.pool.query<{ wal: string; looks: string }>(
    `SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS wal,
            (SELECT coalesce(sum(fence), 0) FROM reconciliations) AS looks`,
  );
  return {
    at: performance.now(),
    cpu: pids.reduce((sum, pid) => sum + cpuOf(pid), 0),
    database: cpuOf(region.postgres, { children: true }),
    wal: Number(rows[0]?.wal),
    looks: Number(rows[0]?.looks),
  };
}

/** Has at least `size` deployments inserted. */
async function grow(size: number): Promise<void> {
  while (nodes.length < size) {
    const count = Math.min(1_000, size - nodes.length);
    nodes.push(...(await insertInitialized(region.pool, count, { firstId: firstInserted + nodes.length })));
  }
  // as autovacuum does in time
  await region.pool.query('VACUUM ANALYZE');
  await region.pool.query('CHECKPOINT');
}

async function startBare() {
  const child = spawn(process.execPath, [new URL('reconciler/bare.ts', import.meta.url).pathname], {
    env: { DATABASE_URL: region.databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${port.toString().trim()}`, pid: child.pid ?? 0, kill: () => child.kill() };
}

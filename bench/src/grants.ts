import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { client, startReplicas, type Replica } from '@sluice/testing';
import { table } from './report.ts';

/**
 * What many API keys cost: a change of the role that all of them have, until it is in force on all layers, and the start
 * and the memory of one more instance of audit. Each size is compared with a stack that has one key, measured first.
 */
const sizes = process.argv.slice(2).map(Number);
if (sizes.length === 0) sizes.push(10_000, 100_000);
const patience = 10 * 60_000;
const permissions = [{ tenant: ['info:read'] }, { tenant: ['info:read', 'division:read'] }];

const stack = await startReplicas(1);
try {
  const [main] = stack.of('main-api');
  if (!main) throw new Error('there is no main-api');
  const admin = client(main.url, stack.api_key);
  const path = `/tenants/${stack.tenant_id}/roles`;
  const made = await admin.post<{ id: number }>(path, { name: 'bench', permissions: permissions[0] });
  const role = `${path}/${made.body.id}`;
  const empty = await oneMore();
  const rows: string[][] = [row('1', 0, 0, empty)];
  for (const size of sizes) {
    await stack.query(
      `INSERT INTO api_keys (tenant_id, name, token_sha256, role_id, user_id, expiry_at)
       SELECT $1, 'bench ' || n, encode(sha256(convert_to('bench ' || n, 'utf8')), 'hex'), $2, $3, now() + interval '1 day'
       FROM generate_series(1, $4::int) AS n ON CONFLICT DO NOTHING`,
      [stack.tenant_id, made.body.id, stack.colleague, size],
    );
    // the first change makes the grants, the second changes them
    await changeRole(main, role, 1);
    const { seconds, megabytes } = await changeRole(main, role, 0);
    const instance = await oneMore();
    rows.push(row(size.toLocaleString('en'), seconds, megabytes, instance, size, empty));
    process.stderr.write(`${size} keys: done\n`);
  }
  const head = ['keys', 'role change s', 'main-api peak MB', 'start s', 'times', 'heap MB', 'bytes/key'];
  process.stdout.write(`${table(head, rows)}\n`);
} finally {
  await stack.remove();
}

interface Started {
  seconds: number;
  heapBytes: number;
}

/** Starts one more instance and looks at what it holds. */
async function oneMore(): Promise<Started> {
  const begun = performance.now();
  const replica = await stack.another('audit', { patience });
  const seconds = (performance.now() - begun) / 1_000;
  const heapBytes = await heapOf(replica);
  replica.process.kill('SIGTERM');
  return { seconds, heapBytes };
}

/** The least heap that is seen within ten seconds: what is left when the rest has been collected. */
async function heapOf({ url }: Replica): Promise<number> {
  let least = Infinity;
  for (let i = 0; i < 50; i++) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const used = Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(metrics)?.[1]);
    least = Math.min(least, used);
    await delay(200);
  }
  return least;
}

/** Changes what the role grants. @returns how long that took, and the most memory that main-api had meanwhile */
async function changeRole(
  main: Replica,
  role: string,
  to: 0 | 1,
): Promise<{ seconds: number; megabytes: number }> {
  const { pid } = main.process;
  // has Linux count the peak from now on
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined);
  const begun = performance.now();
  const answer = await fetch(main.url + role, {
    method: 'PUT',
    headers: { 'svc-api-key': stack.api_key, 'content-type': 'application/json' },
    body: JSON.stringify({ permissions: permissions[to] }),
    signal: AbortSignal.timeout(patience),
  });
  if (answer.status !== 204) throw new Error(`${answer.status} ${await answer.text()}`);
  const seconds = (performance.now() - begun) / 1_000;
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return { seconds, megabytes: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024 };
}

function row(
  keys: string,
  roleSeconds: number,
  peak: number,
  { seconds, heapBytes }: Started,
  size = 0,
  empty?: Started,
): string[] {
  return [
    keys,
    roleSeconds.toFixed(1),
    peak.toFixed(0),
    seconds.toFixed(1),
    empty ? (seconds / empty.seconds).toFixed(1) : '1.0',
    (heapBytes / 1e6).toFixed(0),
    empty ? ((heapBytes - empty.heapBytes) / size).toFixed(0) : '',
  ];
}

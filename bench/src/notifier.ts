import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@sluice/testing';
import { cpuOf } from './api/processes.ts';
import type { Posted, Posts } from './notifier/bare.ts';
import { fill, startInstallation, type Installation } from './notifier/installation.ts';
import { table } from './report.ts';

/**
 * How fast the notifier finds the channels of events among 10,000 with 50,000 subscriptions; how fast it delivers to an HTTPS
 * server, against a bare client that posts the same bodies in turn with it, each a process that lives as long as the other; and what
 * one destination that hangs does to the others, and 200 whose name servers hang, are slow or lie.
 *
 * npm run bench:notifier [-- events [deliveries [rounds [events for latency]]]], such as 3000 20000 4 150
 */
const events = Number(process.argv[2] ?? 3_000);
const deliveries = Number(process.argv[3] ?? 20_000);
const rounds = Number(process.argv[4] ?? 4);
const parallel = 64;
const patience = { timeoutMs: 300_000, everyMs: 20 };
const ofCpu = ['µs of CPU each', 'of PostgreSQL'];
/** the next tenant that has channels of its own */
let tenants = 9_000;

const installation = await startInstallation();
try {
  await fill(installation, { tenants: 500, channels: 10_000, subscriptions: 50_000 });
  const matched = await matching(installation);
  process.stdout.write(`${table(['matching', 'events/s', ...ofCpu], matched)}\n\n`);
  const delivered = await delivering(installation);
  const head = [`${parallel} destinations`, 'deliveries/s', 'of bare', ...ofCpu, 'of the server'];
  process.stdout.write(`${table(head, delivered)}\n\n`);
  const latencies = await latenciesOf(installation);
  const latencyHead = ['event until the others have it', 'p50 ms', 'p99 ms', 'of p99 without'];
  process.stdout.write(`${table(latencyHead, latencies)}\n`);
} finally {
  await installation.remove();
}

/** Events that none of all channels hears of, such that one does, and such that all channels of a tenant do. */
async function matching(to: Installation): Promise<string[][]> {
  const { rows } = await to.pool.query<{ id: number; tenant_id: number }>(
    'SELECT id::int, tenant_id::int FROM channels ORDER BY id LIMIT $1',
    [events],
  );
  const measure = async (name: string, some: typeof rows, division: (id: number) => number) => {
    to.notifier.pause();
    await inParallel(some, 50, ({ id, tenant_id }) =>
      to.event(tenant_id, division(id), 'division_updated', 'a division'),
    );
    const { seconds, cpu } = await measured(to, async () => {
      to.notifier.resume();
      await eventually(async () => {
        const left = await to.waiting();
        if (left > 0) throw new Error(`${left} events wait: ${to.log}`);
      }, patience);
    });
    return [name, (some.length / seconds).toFixed(0), ...each(cpu, some.length)];
  };
  const tenant = tenants;
  const channels = await makeChannels(to, 'told', 110);
  // another process delivers, so that nothing is measured but what becomes of the events
  await to.pool.query(
    `INSERT INTO queues (channel_id, ready_at, due_at, lease)
     SELECT id, now() + interval '1 hour', 'infinity', gen_random_uuid() FROM unnest($1::bigint[]) AS id`,
    [channels],
  );
  const ofTenant = rows.slice(0, events / 10).map(({ id }) => ({ id, tenant_id: tenant }));
  const found = [
    await measure('no channel hears of it', rows, () => 1),
    await measure('one channel hears of it', rows, (id) => id * 10 + 1),
    await measure(`${channels.length} channels hear of it`, ofTenant, (id) => id),
  ];
  await to.pool.query('DELETE FROM channels WHERE tenant_id = $1', [tenant]);
  return found;
}

/** Of the notifier and of a bare client, the best round of each: what else the machine does slows both, and at first neither is compiled. */
async function delivering(to: Installation): Promise<string[][]> {
  const perChannel = Math.round(deliveries / parallel);
  const count = perChannel * parallel;
  const tenant = tenants;
  const channels = await makeChannels(to, 'parallel', parallel);
  const bare = fork(join(import.meta.dirname, 'notifier/bare.ts'), [to.authority]);
  const own: Round[] = [];
  const bares: Round[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      to.receiver.received.length = 0;
      own.push(await notifierRound(to, tenant, channels, perChannel));
      const body = to.receiver.received[0]?.body ?? '{}';
      const urls = channels.map((_, i) => `${to.receiver.url}/bare-${i}`);
      bares.push(await bareRound(bare, { urls, each: perChannel, body }));
    }
  } finally {
    bare.kill();
  }
  const best = (of: Round[]) => of.reduce((one, other) => (one.seconds <= other.seconds ? one : other));
  const [notifier, client] = [best(own), best(bares)];
  const row = (name: string, { seconds, cpu, server }: Round) => [
    ...[name, (count / seconds).toFixed(0), (client.seconds / seconds).toFixed(2)],
    ...each(cpu, count),
    server.toFixed(0),
  ];
  return [row('notifier', notifier), row('bare client', client)];
}

/** Some deliveries: how long all took, CPU time in µs, and what the server needed for each. */
interface Round {
  seconds: number;
  cpu: number[];
  server: number;
}

/** What is due is many messages to each channel, the last of them about an event: by that one the notifier hears of them. */
async function notifierRound(
  to: Installation,
  tenant: number,
  channels: number[],
  perChannel: number,
): Promise<Round> {
  const { pool, receiver } = to;
  const message = { subject: 'Division updated', body: 'A division was updated.', facts: [] };
  await pool.query(
    `INSERT INTO notifications (channel_id, message_id, tenant_id, message_type, message, occurred_at, status)
     SELECT id, gen_random_uuid(), $4, 'division_updated', $3, now(), 'pending'
     FROM unnest($1::bigint[]) AS id, generate_series(2, $2)`,
    [channels, perChannel, JSON.stringify(message), tenant],
  );
  const all = channels.length * perChannel;
  const arrived = Promise.withResolvers<void>();
  let left = all;
  receiver.answer = () => {
    if (--left === 0) arrived.resolve();
    return undefined;
  };
  const server = process.cpuUsage();
  const { seconds, cpu } = await measured(to, async () => {
    await to.event(tenant, 1, 'division_updated', 'a division');
    await arrived.promise;
  });
  receiver.answer = () => undefined;
  return { seconds, cpu, server: total(process.cpuUsage(server)) / all };
}

async function bareRound(bare: ChildProcess, posts: Posts): Promise<Round> {
  const server = process.cpuUsage();
  bare.send(posts);
  const [{ seconds, cpu }] = (await once(bare, 'message')) as [Posted];
  return {
    seconds,
    cpu: [cpu, 0],
    server: total(process.cpuUsage(server)) / (posts.each * posts.urls.length),
  };
}

/** How long work takes, and the CPU time in µs that the notifier and PostgreSQL have meanwhile. */
async function measured(to: Installation, work: () => Promise<void>) {
  const used = () => [cpuOf(to.notifier.pid), cpuOf(to.postgres, { children: true })] as const;
  const [notifier, postgres] = used();
  const begun = performance.now();
  await work();
  const seconds = (performance.now() - begun) / 1_000;
  const [notifierNow, postgresNow] = used();
  return { seconds, cpu: [notifierNow - notifier, postgresNow - postgres] };
}

function total({ user, system }: NodeJS.CpuUsage): number {
  return user + system;
}

function each(cpu: readonly number[], count: number): string[] {
  return cpu.map((microseconds) => (microseconds / count).toFixed(0));
}

/** Channels of a tenant of their own, which hear of everything. */
async function makeChannels(
  { pool, seal }: Installation,
  name: string,
  count: number,
  hangs = false,
): Promise<number[]> {
  const ids: number[] = [];
  const tenant = tenants++;
  for (let i = 0; i < count; i++) {
    const { rows } = await pool.query<{ id: number }>(
      `WITH made AS (
         INSERT INTO channels (id, version, tenant_id, channel, name, enabled, sealed, created_at)
         SELECT max(id) + 1, 1, $1, 'webhook', $2, true, $3, now() FROM channels RETURNING id)
       INSERT INTO routes (tenant_id, place, channel_id) SELECT $1, 'tenant', id FROM made RETURNING channel_id AS id`,
      [
        tenant,
        `${name} ${i}`,
        await seal(`/${name}-${tenant}-${i}`, hangs ? `https://name-${tenant}.example` : undefined),
      ],
    );
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

/** What destinations that hang do to the others: in turns, so that other work of the machine slows all of them. */
async function latenciesOf(to: Installation): Promise<string[][]> {
  const situations: (Situation & { name: string; beside: number; taken: number[] })[] = [
    { name: 'ten answer', more: 0, hang: false, beside: 0, taken: [] },
    { name: 'and one more hangs', more: 1, hang: true, beside: 0, taken: [] },
    { name: 'and a hundred more answer', more: 100, hang: false, beside: 2, taken: [] },
    { name: 'and a hundred more hang', more: 100, hang: true, beside: 2, taken: [] },
    { name: 'and 200 tenants more answer', more: 200, hang: 'no name', beside: 4, taken: [] },
    { name: 'and the names of 200 more do not', more: 200, hang: 'names', beside: 4, taken: [] },
  ];
  for (let round = 0; round < rounds; round++)
    for (const { more, hang, taken } of situations) taken.push(...(await latency(to, more, hang)));
  const at = (taken: number[], share: number) => {
    taken.sort((a, b) => a - b);
    return taken[Math.floor(taken.length * share)] ?? NaN;
  };
  return situations.map(({ name, beside, taken }) => [
    name,
    ...[at(taken, 0.5), at(taken, 0.99)].map((milliseconds) => milliseconds.toFixed(0)),
    (at(taken, 0.99) / at(situations[beside]?.taken ?? [], 0.99)).toFixed(2),
  ]);
}

/** What is there beside ten destinations; where it is about names, of as many tenants with an event each. */
interface Situation {
  more: number;
  hang: boolean | 'names' | 'no name';
}

/** Milliseconds from events to their arrival at each of ten destinations, beside `more` others. */
async function latency(to: Installation, more: number, hang: Situation['hang']): Promise<number[]> {
  const { receiver } = to;
  const others = 10;
  const tenant = tenants;
  await makeChannels(to, 'answering', others);
  tenants = tenant;
  if (typeof hang === 'string') {
    const first = tenants + 1;
    for (tenants = first; tenants < first + more;) await makeChannels(to, 'more', 1, hang === 'names');
    for (let i = first; i < tenants; i++) await to.event(i, 1, 'division_created', 'a division');
  } else await makeChannels(to, 'more', more);
  const sent = new Map<string, number>();
  const taken: number[] = [];
  const hung: ServerResponse[] = [];
  receiver.answer = ({ path, body }, response) => {
    if (path.startsWith('/more')) {
      if (hang !== true) return undefined;
      hung.push(response);
      return 'hang';
    }
    const { subject } = JSON.parse(body) as { subject: string };
    const [number = ''] = /\d+/.exec(subject) ?? [];
    taken.push(performance.now() - (sent.get(number) ?? NaN));
    return undefined;
  };
  const count = Math.ceil(Number(process.argv[5] ?? 150) / rounds);
  for (let i = 0; i < count; i++) {
    sent.set(String(i), performance.now());
    await to.event(tenant, i + 1, 'division_created', `division ${i}`);
    await pause(20);
  }
  await eventually(() => {
    if (taken.length < count * others) throw new Error(`${taken.length} have arrived: ${to.log}`);
  }, patience);
  await to.pool.query('DELETE FROM channels WHERE tenant_id BETWEEN $1 AND $2', [tenant, tenants]);
  to.nameServer.asked.length = 0;
  receiver.answer = () => undefined;
  // the next round begins with none of them
  for (const response of hung) response.destroy();
  return taken;
}

async function inParallel<T>(
  all: readonly T[],
  most: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const left = [...all];
  const worker = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) await work(one);
  };
  await Promise.all(Array.from({ length: most }, worker));
}

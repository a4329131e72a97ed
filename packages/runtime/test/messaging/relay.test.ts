import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { idOf, type TenantId } from '@sluice/contracts';
import { jetstreamManager, type StreamConfig } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import {
  client,
  eventually,
  freePort,
  makeStreams,
  ownNats,
  faultProxy,
  signAs,
  type FaultProxy,
} from '@sluice/testing';
import { Registry } from '@prometheus-io/client';
import { emitNamed, namesOf, origin } from '../messages.ts';
import { widgetService, type WidgetService } from '../widget-service.ts';
import { inTransaction, type Sql, currentContext, newContext, withContext } from '@sluice/service';
import { tryRelayLock, Relay, type RelayOptions } from '@sluice/messaging';

const program = fileURLToPath(new URL('../../test/main.ts', import.meta.url));

const proxies: FaultProxy[] = [];
const on = widgetService({ per: 'test' });

afterEach(() => {
  proxies.splice(0).forEach((proxy) => proxy.close());
});

const start = (natsUrl = on.natsUrl) => on.widgets({ NATS_URL: natsUrl });

/** A way to NATS of one replica's own. */
async function wayToNats(natsUrl: string, delayMilliseconds?: number): Promise<FaultProxy> {
  const proxy = await faultProxy(Number(new URL(natsUrl).port), delayMilliseconds);
  proxies.push(proxy);
  return proxy;
}

/** Emits these events of tenants in one unit of work, and answers the ids of their rows. */
async function emit(widgets: WidgetService, ...events: [name: string, tenant: number][]): Promise<number[]> {
  const { runtime } = widgets;
  let ids: number[] = [];
  const work = runtime.unitOfWork<Sql>(
    (run) => inTransaction(runtime.pool, run),
    ({ outboxIds }) => void (ids = outboxIds),
  );
  await work(origin, async (tx) => {
    for (const [name, tenant] of events) emitNamed(tx, name, tenant);
  });
  return ids;
}

async function configureEvents({ runtime }: WidgetService, config: Partial<StreamConfig>): Promise<void> {
  const manager = await jetstreamManager(runtime.nats);
  await manager.streams.update(runtime.topology.streams.events.name, config);
}

const waiting = async ({ runtime: { pool } }: WidgetService) =>
  (
    await pool.query<{ name: string }>(
      `SELECT payload::jsonb -> 'data' ->> 'name' AS name FROM outbox ORDER BY id`,
    )
  ).rows.map(({ name }) => name);

const hasRelayLock = async ({ runtime: { pool } }: WidgetService) => {
  const locks = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  return (await pool.query(locks)).rows.length > 0;
};

const long = 'b'.repeat(4_000);

describe('a message that NATS does not take', () => {
  test('holds back those behind it with its ordering key, and no others, until NATS takes it', async () => {
    const widgets = await start();
    await configureEvents(widgets, { max_msg_size: 2_000 });
    const ids = await emit(widgets, ['a', 1], [long, 1], ['x', 2], ['c', 1], ['y', 2], ['d', 1]);
    // over several attempts
    expect(await widgets.runtime.relay.waitUntilSent(ids, 1_500)).toBe(false);
    expect(await waiting(widgets)).toEqual([long, 'c', 'd']);
    expect(await namesOf(widgets, 1)).toEqual(['a']);
    expect(await namesOf(widgets, 2)).toEqual(['x', 'y']);

    await configureEvents(widgets, { max_msg_size: -1 });
    expect(await widgets.runtime.relay.waitUntilSent(ids, 10_000)).toBe(true);
    expect(await namesOf(widgets, 1)).toEqual(['a', long, 'c', 'd']);
    expect(await namesOf(widgets, 2)).toEqual(['x', 'y']);
  });

  test('keeps its place with several replicas at work', async () => {
    const replicas = [await start(), await start(), await start()] as const;
    await configureEvents(replicas[0], { max_msg_size: 2_000 });
    const sent: Record<number, string[]> = { 1: [], 2: [], 3: [] };
    const refused = 7;
    for (let i = 0; i < 45; i++) {
      const tenant = (i % 3) + 1;
      const name = i === refused ? long : `n${i}`;
      sent[tenant]?.push(name);
      await emit(replicas[i % 2] ?? replicas[0], [name, tenant]);
    }
    const stuck = (refused % 3) + 1;
    await eventually(async () => expect((await waiting(replicas[0])).length).toBe(15 - 2));
    expect(await namesOf(replicas[0], stuck)).toEqual(sent[stuck]?.slice(0, 2));
    await configureEvents(replicas[0], { max_msg_size: -1 });
    for (const tenant of [1, 2, 3])
      await eventually(async () => expect(await namesOf(replicas[0], tenant)).toEqual(sent[tenant]));
  });
});

describe('a message that NATS can never take', () => {
  let widgets: WidgetService;
  let relay: Relay;
  let metrics: Registry;

  beforeEach(async () => {
    widgets = await start();
    await widgets.runtime.relay.stop();
    metrics = new Registry();
    const { pool, notifications, nats, log } = widgets.runtime;
    relay = new Relay({
      ...{ pool, notifications, nats, log, metrics },
      sign: signAs('main-api'),
      pollMilliseconds: 50,
      maxRefusals: 2,
    });
  });
  afterEach(() => relay.stop());

  const deadLetters = async () =>
    (
      await widgets.runtime.pool.query<Record<string, unknown>>(
        `SELECT id, ordering_key, reason, attempts, died_at > created_at AS dated FROM outbox_dead_letters`,
      )
    ).rows;

  /** As it would come from a release that sends what this one does not. */
  async function insert(id: number, more: { headers?: object; subject?: string; bytes?: number }) {
    const { pool, topology } = widgets.runtime;
    const {
      headers = {},
      bytes = 0,
      subject = topology.subjects.event('main-api', idOf<TenantId>(1), 'test'),
    } = more;
    await pool.query(
      `INSERT INTO outbox (id, message_id, ordering_key, subject, headers, payload) OVERRIDING SYSTEM VALUE
       VALUES ($1, gen_random_uuid(), 'tenant 1', $2, $3, $4)`,
      [
        id,
        subject,
        headers,
        JSON.stringify({ tenant_id: 1, data: { name: `n${id}`, more: 'x'.repeat(bytes) } }),
      ],
    );
  }

  test.each([
    ['is larger than the server takes', { bytes: 1_100_000 }, 'max_payload size exceeded'],
    ['has a header that cannot be written', { headers: { traceparent: 'a\nb' } }, 'values cannot contain'],
  ])('because it %s becomes a dead letter, and those behind it are sent', async (_case, wrong, reason) => {
    await insert(101, {});
    await insert(102, wrong);
    await insert(103, {});
    await emit(widgets, ['other', 2]);
    await relay.start();
    await eventually(async () => expect(await namesOf(widgets, 1)).toEqual(['n101', 'n103']));
    expect(await namesOf(widgets, 2)).toEqual(['other']);
    expect(await deadLetters()).toEqual([
      {
        id: 102,
        ordering_key: 'tenant 1',
        reason: expect.stringContaining(reason) as string,
        attempts: 2,
        dated: true,
      },
    ]);
    await eventually(async () => expect(await waiting(widgets)).toEqual([]));
    expect(await relay.waitUntilSent([102], 100)).toBe(false);
    expect(await metrics.metrics()).toContain('sluice_outbox_dead_letters 1');
  });

  test('can be sent again once NATS takes it', async () => {
    await configureEvents(widgets, { max_msg_size: 2_000 });
    await insert(101, { bytes: 3_000 });
    await relay.start();
    await eventually(async () => expect(await deadLetters()).toHaveLength(1));
    await configureEvents(widgets, { max_msg_size: -1 });
    // as docs/operations.md says it
    await widgets.runtime.pool.query(
      `WITH again AS (DELETE FROM outbox_dead_letters WHERE id = 101 RETURNING *)
       INSERT INTO outbox (id, message_id, ordering_key, subject, headers, payload) OVERRIDING SYSTEM VALUE
       SELECT id, message_id, ordering_key, subject, headers, payload FROM again`,
    );
    await eventually(async () => expect(await namesOf(widgets)).toEqual(['n101']));
    expect(await deadLetters()).toEqual([]);
  });

  test('holds up no other stream, nor does one that no stream takes yet', async () => {
    const { namespace } = widgets.runtime.topology;
    for (let id = 1; id <= 300; id++) await insert(id, { subject: `${namespace}.later.x` });
    await insert(301, {});
    await relay.start();
    await eventually(async () => expect(await namesOf(widgets)).toEqual(['n301']));
    await eventually(async () => expect(await waiting(widgets)).toHaveLength(300));
    expect(await deadLetters()).toEqual([]);
    const manager = await jetstreamManager(widgets.runtime.nats);
    await manager.streams.add({ name: `${namespace}LATER`, subjects: [`${namespace}.later.>`] });
    try {
      await eventually(async () => expect(await waiting(widgets)).toEqual([]));
    } finally {
      await manager.streams.delete(`${namespace}LATER`);
    }
  });
});

test('a message that may not be sent waits for the permission, with those behind it, and others are sent', async () => {
  const widgets = await start();
  await widgets.runtime.relay.stop();
  const { pool, notifications, log, topology } = widgets.runtime;
  const event = (tenant: number) =>
    topology.subjects.event('main-api', idOf<TenantId>(tenant), 'division_created');
  const permissions = { publish: { deny: event(1) } };
  const users = [
    { user: 'all', password: 'all' },
    { user: 'one', password: 'one', permissions },
  ];
  const nats = await ownNats(undefined, { authorization: { users } });
  const connections = await Promise.all(
    ['all', 'one'].map((user) => connect({ servers: nats.url, user, pass: user })),
  );
  const [all, one] = connections as [NatsConnection, NatsConnection];
  await makeStreams(all, topology);
  const relayAs = async (connection: NatsConnection) => {
    const options = { pool, notifications, log, nats: connection, metrics: new Registry() };
    const relay = new Relay({ ...options, sign: signAs('main-api'), pollMilliseconds: 50, maxRefusals: 2 });
    await relay.start();
    return relay;
  };
  const stored = async () =>
    (await (await jetstreamManager(all)).streams.info(topology.streams.events.name)).state.messages;
  try {
    const denied = await relayAs(one);
    const ids = await emit(widgets, ['a', 1], ['b', 1], ['x', 2]);
    // more often than a message is tried that is wrong itself
    await eventually(async () => {
      const { rows } = await pool.query<{ refusals: number }>('SELECT refusals FROM outbox ORDER BY id');
      expect(rows.map(({ refusals }) => refusals)).toEqual([3, 0]);
    });
    expect(await waiting(widgets)).toEqual(['a', 'b']);
    expect(await stored()).toBe(1);
    await denied.stop();
    const allowed = await relayAs(all);
    expect(await allowed.waitUntilSent(ids, 10_000)).toBe(true);
    expect(await stored()).toBe(3);
    await allowed.stop();
  } finally {
    await Promise.all(connections.map((connection) => connection.close()));
    await nats.remove();
  }
});

test('a connection to NATS that breaks in the middle loses, doubles and reorders nothing', async () => {
  const own = await ownNats();
  const proxy = await wayToNats(own.url);
  const widgets = await on.widgets({ NATS_URL: `nats://127.0.0.1:${proxy.port}` });
  try {
    const names = Array.from({ length: 300 }, (_, i) => `n${i}`);
    const ids = await emit(widgets, ...names.map((name): [string, number] => [name, 1]));
    const observer = await on.widgets({ NATS_URL: own.url });
    try {
      await eventually(async () => expect((await namesOf(observer)).length).toBeGreaterThan(0), {
        everyMs: 1,
      });
      proxy.disconnect();
      proxy.restore();
      expect(await observer.runtime.relay.waitUntilSent(ids, 20_000)).toBe(true);
      expect(await namesOf(observer)).toEqual(names);
    } finally {
      await observer.stop();
    }
  } finally {
    await widgets.stop();
    await own.remove();
  }
});

describe('several replicas', () => {
  test('wait for none that is frozen in the middle of its work', async () => {
    const proxy = await wayToNats(on.natsUrl);
    const port = await freePort();
    const child = spawn(process.execPath, [program], {
      env: {
        ...on.environment,
        PATH: process.env['PATH'] ?? '',
        PORT: String(port),
        NATS_URL: `nats://127.0.0.1:${proxy.port}`,
      },
      stdio: 'ignore',
    });
    on.onClose(() => child.kill('SIGKILL'));
    await eventually(async () =>
      expect((await client(`http://127.0.0.1:${port}`).get('/readyz')).status).toBe(200),
    );
    proxy.dropRequests();
    const quiet = await on.widgets({}, { streams: [] });
    await quiet.runtime.relay.stop();
    const ids = await emit(quiet, ['a', 1], ['b', 1], ['x', 2]);
    await eventually(async () => expect(await hasRelayLock(quiet)).toBe(true), { everyMs: 5 });
    child.kill('SIGSTOP');

    const healthy = await start();
    expect(await healthy.runtime.relay.waitUntilSent(ids, 20_000)).toBe(true);
    // what it goes on with when it wakes has been done
    proxy.restore();
    child.kill('SIGCONT');
    const last = await emit(quiet, ['c', 1]);
    expect(await healthy.runtime.relay.waitUntilSent(last, 20_000)).toBe(true);
    expect(await namesOf(healthy, 1)).toEqual(['a', 'b', 'c']);
    expect(await namesOf(healthy, 2)).toEqual(['x']);
  }, 60_000);

  test('wait for none that is cut off from NATS', async () => {
    const proxy = await wayToNats(on.natsUrl);
    const alone = await start(`nats://127.0.0.1:${proxy.port}`);
    // it is at work, and has the lock, when its connection breaks
    proxy.dropRequests();
    const ids = await emit(alone, ['a', 1]);
    await eventually(async () => expect(await hasRelayLock(alone)).toBe(true), { everyMs: 5 });
    proxy.disconnect();
    const healthy = await start();
    expect(await healthy.runtime.relay.waitUntilSent(ids, 2_000)).toBe(true);
    // nor does it come back to it as long as it is cut off
    for (const name of ['b', 'c', 'd']) {
      const more = await emit(alone, [name, 1]);
      expect(await healthy.runtime.relay.waitUntilSent(more, 2_000)).toBe(true);
    }
    expect(await namesOf(healthy)).toEqual(['a', 'b', 'c', 'd']);
    proxy.restore();
    await healthy.runtime.relay.stop();
    const last = await emit(alone, ['e', 1]);
    expect(await alone.runtime.relay.waitUntilSent(last, 10_000)).toBe(true);
    expect(await namesOf(healthy)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});

test('a message that was sent just before a kill, and so is sent again, is stored once', async () => {
  const widgets = await start();
  await emit(widgets, ['a', 1]);
  await eventually(async () => expect(await namesOf(widgets)).toEqual(['a']));
  // what a process leaves that is killed between the answer of NATS and the commit that deletes the row
  const { pool, nats, topology } = widgets.runtime;
  const manager = await jetstreamManager(nats);
  const stored = await manager.streams.getMessage(topology.streams.events.name, { seq: 1 });
  await pool.query(
    `INSERT INTO outbox (message_id, ordering_key, subject, payload) VALUES ($1, 'tenant 1', $2, $3)`,
    [stored?.header.get('Nats-Msg-Id'), stored?.subject, stored?.string()],
  );
  await eventually(async () => expect(await waiting(widgets)).toEqual([]));
  expect(await namesOf(widgets)).toEqual(['a']);
});

describe('a relay', () => {
  let widgets: WidgetService;
  let metrics: Registry;
  let relay: Relay | undefined;

  /** A relay that works alone, with a rhythm of its own. */
  async function relayAlone(more: Partial<RelayOptions> = {}): Promise<Relay> {
    const { pool, notifications, nats, log } = widgets.runtime;
    metrics = new Registry();
    relay = new Relay({
      pool,
      notifications,
      nats,
      log,
      metrics,
      sign: signAs('main-api'),
      pollMilliseconds: 60_000,
      figuresKept: 0,
      ...more,
    });
    return relay;
  }

  /** Puts rows into the outbox of which nobody is notified, and which do not lie in the table in their order. */
  async function insertQuietly(count: number): Promise<void> {
    const { pool, topology } = widgets.runtime;
    await pool.query(
      `INSERT INTO outbox (id, message_id, ordering_key, subject, payload) OVERRIDING SYSTEM VALUE
       SELECT i, gen_random_uuid(), 'x', $1,
         jsonb_build_object('tenant_id', 1, 'data', jsonb_build_object('name', 'n' || i))
       FROM generate_series(1, $2) AS i ORDER BY i DESC`,
      [topology.subjects.event('main-api', idOf<TenantId>(1), 'test'), count],
    );
  }

  beforeEach(async () => {
    widgets = await start();
    await widgets.runtime.relay.stop();
  });
  afterEach(async () => {
    await relay?.stop();
    relay = undefined;
  });

  test('sends at its start what is there, in order, and to one stream while thousands wait for another', async () => {
    await insertQuietly(5_000);
    const { pool, topology } = widgets.runtime;
    await pool.query(
      `INSERT INTO outbox (id, message_id, ordering_key, subject, payload) OVERRIDING SYSTEM VALUE
       VALUES (5001, gen_random_uuid(), 'y', $1, '{}')`,
      [topology.subjects.report('main-api', 'x')],
    );
    const alone = await relayAlone();
    await alone.start();
    expect(await alone.waitUntilSent([5_001], 10_000)).toBe(true);
    expect((await waiting(widgets)).length).toBeGreaterThan(0);
    await eventually(async () => expect(await waiting(widgets)).toEqual([]), { timeoutMs: 120_000 });
    expect(await namesOf(widgets)).toEqual(Array.from({ length: 5_000 }, (_, i) => `n${i + 1}`));
    expect(await metrics.metrics()).toContain('sluice_outbox_relayed_total 5001');
  }, 180_000);

  test('is woken by a notification', async () => {
    await (await relayAlone()).start();
    await eventually(async () => expect(await waiting(widgets)).toEqual([]));
    await insertQuietly(1);
    await widgets.runtime.pool.query("SELECT pg_notify('outbox', '')");
    await eventually(async () => expect(await namesOf(widgets)).toEqual(['n1']));
  });

  test('looks by itself once in a while', async () => {
    await (await relayAlone({ pollMilliseconds: 50 })).start();
    await insertQuietly(1);
    await eventually(async () => expect(await namesOf(widgets)).toEqual(['n1']));
  });

  test('sends nothing once it has stopped', async () => {
    const stopped = await relayAlone({ pollMilliseconds: 50 });
    await stopped.start();
    await stopped.stop();
    await insertQuietly(1);
    stopped.wake();
    expect(await stopped.waitUntilSent([1], 300)).toBe(false);
    expect(await namesOf(widgets)).toEqual([]);
  });

  test('tells how many messages wait, and for how long', async () => {
    await relayAlone();
    expect(await metrics.metrics()).toContain('sluice_outbox_oldest_seconds 0\n');
    await insertQuietly(3);
    await widgets.runtime.pool.query("UPDATE outbox SET created_at = now() - interval '1 hour' WHERE id = 1");
    expect(await metrics.metrics()).toContain('sluice_outbox_waiting 3');
    expect(await metrics.metrics()).toMatch(/sluice_outbox_oldest_seconds 36\d\d/);
  });

  test('leaves alone a kind of stream that another replica relays, and no other', async () => {
    await insertQuietly(1);
    const { pool, topology } = widgets.runtime;
    await inTransaction(pool, async (sql) => {
      expect(await tryRelayLock(sql, 'events')).toBe(true);
      await (await relayAlone({ pollMilliseconds: 20 })).start();
      await pool.query(
        `INSERT INTO outbox (id, message_id, ordering_key, subject, payload) OVERRIDING SYSTEM VALUE
         VALUES (2, gen_random_uuid(), 'y', $1, '{}')`,
        [topology.subjects.report('main-api', 'x')],
      );
      await eventually(async () => expect(await waiting(widgets)).toEqual(['n1']));
    });
    await eventually(async () => expect(await namesOf(widgets)).toEqual(['n1']));
  });
});

test('the relay works for nobody in particular, whoever has woken it', async () => {
  const widgets = await start();
  const contexts: unknown[] = [];
  const { pool } = widgets.runtime;
  const query = pool.query.bind(pool);
  pool.query = ((...args: Parameters<typeof query>) => {
    contexts.push(currentContext());
    return query(...args);
  }) as typeof pool.query;
  await withContext(newContext(), async () => {
    widgets.runtime.relay.wake();
    await eventually(() => expect(contexts.length).toBeGreaterThan(0));
  });
  expect(contexts.filter((context) => context !== undefined)).toEqual([]);
});

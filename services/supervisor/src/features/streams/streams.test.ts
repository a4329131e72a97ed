import { randomUUID } from 'node:crypto';
import { idOf, type TenantId } from '@sluice/contracts';
import {
  aDeployment,
  agentToken,
  client,
  connectBroker,
  eventually,
  insertInitialized,
  type Login,
  type SimulatedNode,
} from '@sluice/testing';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import pg from 'pg';
import { untilStatus } from '#test/client.ts';
import { supervisor } from '#test/region.ts';

interface Page {
  items: { name: string; pending: number; messages: number; node_id: number }[];
  total_results: number;
  left_out: number;
  reported_at: string | null;
}

const region = supervisor({
  replicas: 1,
  environment: { VALIDATE_RESPONSES: 'true', METRICS_SECONDS: '0.5', TELEMETRY_SEND_SECONDS: '0.5' },
});
let url: string;
let pool: pg.Pool;
let node: SimulatedNode;
let key: string;
let firstId = 1_000_000;

beforeAll(() => {
  ({ url } = region.replica());
  pool = new pg.Pool({ connectionString: region.databaseUrl, max: 3 });
  region.onClose(() => pool.end());
});
beforeEach(async () => {
  firstId += 1_000;
  [node] = (await insertInitialized(pool, 1, { firstId })) as [SimulatedNode];
  key = await region.key('admin', { tenant_id: idOf<TenantId>(1 + (firstId % 100)) });
});

const aStream = (name: string, more: object = {}) => ({
  ...{ name, description: null, subjects: [`${name}.>`], subjects_total: 1 },
  ...{ retention: 'limits', storage: 'file', discard: 'old', replicas: 1, sealed: false },
  ...{ direct_reads: true, copies: [], created_at: '2026-03-01T08:00:00.000Z', messages: 1, bytes: 10 },
  ...{ topics: 1, consumers: 1, first_sequence: 1, last_sequence: 1, first_at: null, last_at: null },
  limits: {
    ...{ messages: null, bytes: null, age_seconds: null, message_bytes: null },
    ...{ messages_per_topic: null, consumers: null },
  },
  ...more,
});
const aConsumer = (stream: string, name: string, pending: number) => ({
  ...{ stream, name, description: null, durable: true, delivery: 'pull', filter_subjects: [] },
  ...{ filter_subjects_total: 0, acknowledgement: 'explicit', ack_wait_seconds: 30, max_deliver: null },
  ...{ max_ack_pending: 1_000, created_at: null, pending, ack_pending: 0, redelivered: 0, waiting: 0 },
  ...{ delivered_sequence: 0, delivered_at: null, ack_floor_sequence: 0, acknowledged_at: null },
  ...{ paused: false, paused_until: null, of_a_newer_agent: true },
});

const report = async (from: SimulatedNode, part: object) => {
  const body = {
    ...{ report: randomUUID(), at: new Date().toISOString(), complete: false, last: true },
    ...{ streams_total: 0, consumers_total: 0, streams: [], consumers: [], ...part },
  };
  const headers = { authorization: `Bearer ${agentToken(from)}` };
  return await client(url).request('POST', '/agent/v1/streams', body, headers);
};
const list = async (path: string) => {
  const { status, body } = await client(url, key).get<Page>(`/deployments/${node.id}/${path}`);
  expect(status).toBe(200);
  return body;
};
const names = ({ items }: Page) => items.map(({ name }) => name);

test('a complete report in parts replaces what the node has reported before, and others add to it', async () => {
  expect(await list('streams')).toMatchObject({ items: [], reported_at: null, left_out: 0 });
  const first = {
    complete: true,
    streams: [aStream('a'), aStream('b')],
    consumers: [aConsumer('a', 'x', 5)],
  };
  expect((await report(node, first)).status).toBe(204);
  await report(node, { streams: [aStream('c', { messages: 7 })] });
  expect(names(await list('streams'))).toEqual(['a', 'b', 'c']);
  const id = randomUUID();
  await report(node, { report: id, complete: true, last: false, streams: [aStream('c', { messages: 8 })] });
  expect(names(await list('streams'))).toEqual(['a', 'b', 'c']);
  await report(node, { report: id, complete: true, streams: [aStream('d')], streams_total: 2 });
  const { items, reported_at } = await list('streams');
  expect(items).toMatchObject([
    { name: 'c', messages: 8, node_id: node.id },
    { name: 'd', messages: 1 },
  ]);
  expect(Date.now() - Date.parse(String(reported_at))).toBeLessThan(60_000);
  const gone = await client(url, key).get(`/deployments/${node.id}/streams/a/consumers`);
  expect([gone.status, gone.body]).toMatchObject([404, { code: 'not_found' }]);
});

test('a stream goes with its new leader, and the former one, which reports later, takes nothing away', async () => {
  const at = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
  const [other] = (await insertInitialized(pool, 1, { firstId: firstId + 1 })) as [SimulatedNode];
  await region.sql('UPDATE nodes SET deployment_id = $1, name = $3, position = 1 WHERE id = $2', [
    node.id,
    other.id,
    'node-2',
  ]);
  await report(node, { complete: true, streams: [aStream('a', { messages: 1 })], at: at(20) });
  await report(other, { complete: true, streams: [aStream('a', { messages: 2 })], at: at(5) });
  // a late part of the time before
  await report(node, { streams: [aStream('a', { messages: 1 })], at: at(15) });
  await report(node, { complete: true, at: at(1) });
  expect((await list('streams')).items).toMatchObject([{ name: 'a', messages: 2, node_id: other.id }]);
});

test('a thousand consumers of a deployment are kept, the others counted', async () => {
  const many = (from: number) =>
    Array.from({ length: 600 }, (_, index) => aConsumer('a', `c${from + index}`, 1));
  const post = async (consumers: object[]) => {
    // the size of a request is limited
    for (let first = 0; first < consumers.length; first += 100)
      await report(node, {
        ...{ streams: [aStream('a')], streams_total: 1, consumers_total: 1_200 },
        consumers: consumers.slice(first, first + 100),
      });
  };
  await post(many(1_000));
  await post(many(2_000));
  expect(await list('streams/a/consumers')).toMatchObject({ total_results: 1_000, left_out: 200 });
  // those that are known are still updated
  await report(node, { consumers: [aConsumer('a', 'c1000', 77)], streams_total: 1, consumers_total: 1_200 });
  expect((await list('streams/a/consumers?results=1')).items).toMatchObject([{ name: 'c1000', pending: 77 }]);
});

interface Lag {
  step_seconds: number;
  times: string[];
  columns: { consumer: string; values: (number | null)[] }[];
  alerts: { consumer: string; threshold: number; raised_at: string }[];
}

describe('the lag of consumers in time', () => {
  const lag = async (query = '', who = key) =>
    await client(url, who).get<Lag>(`/deployments/${node.id}/streams/a/lag?${query}`);
  const greatest = ({ values }: Lag['columns'][number]) => Math.max(...values.map((value) => value ?? 0));

  beforeEach(async () => {
    await region.sql(
      `UPDATE deployments SET spec = spec || jsonb_build_object('created_at', now() - interval '100 days') WHERE id = $1`,
      [node.id],
    );
    for (const pending of [5, 9, 1])
      await report(node, {
        streams: [aStream('a')],
        consumers: [aConsumer('a', 'x', pending), aConsumer('a', 'y', 2 * pending), aConsumer('b', 'z', 99)],
      });
  });

  test('is answered as a column for each consumer of the stream, by the minute and by the hour', async () => {
    const { status, body } = await lag('aggregate=max');
    expect([status, body.step_seconds]).toEqual([200, 60]);
    expect(body.columns.map((column) => [column.consumer, greatest(column)])).toEqual([
      ['x', 9],
      ['y', 18],
    ]);
    for (const { values } of body.columns) expect(values).toHaveLength(body.times.length);
    const from = new Date(Date.now() - 30 * 86_400_000).toISOString();
    const long = (await lag(`aggregate=max&from=${from}&consumers=y`)).body;
    expect(long.step_seconds % 3_600).toBe(0);
    expect(long.columns.map((column) => [column.consumer, greatest(column)])).toEqual([['y', 18]]);
  });

  test('is of those that lagged most, where none are named', async () => {
    const many = Array.from({ length: 12 }, (_, place) => aConsumer('a', `many-${place}`, 100 + place));
    await report(node, { consumers: many });
    const { columns } = (await lag()).body;
    expect(columns).toHaveLength(10);
    expect(columns.map(({ consumer }) => consumer)).not.toEqual(expect.arrayContaining(['many-0']));
  });

  test('has the alerts of these consumers that are raised and not resolved', async () => {
    await report(node, { consumers: [aConsumer('a', 'x', 1_500), aConsumer('b', 'x', 150)] });
    expect((await lag()).body.alerts).toEqual([]);
    await region.sql(
      `UPDATE consumer_alerts SET raised_at = now() - make_interval(secs => threshold / 100) WHERE deployment_id = $1`,
      [node.id],
    );
    const { alerts } = (await lag()).body;
    expect(alerts).toMatchObject([
      { consumer: 'x', threshold: 1_000 },
      { consumer: 'x', threshold: 100 },
    ]);
    expect((await lag('consumers=y')).body.alerts).toEqual([]);
    await report(node, { complete: true, streams: [aStream('a')], consumers: [aConsumer('a', 'x', 0)] });
    expect((await lag()).body.alerts).toHaveLength(2);
  });

  test('is for those who read telemetry, and of streams that are listed', async () => {
    const tenant_id = idOf<TenantId>(1 + (firstId % 100));
    expect((await lag('', await region.key('viewer', { tenant_id }))).status).toBe(403);
    expect((await client(url, key).get(`/deployments/${node.id}/streams/c/lag`)).status).toBe(404);
    expect((await lag('aggregate=rate')).status).toBe(400);
    expect((await lag(`consumers=${Array.from({ length: 11 }, (_, n) => n).join()}`)).status).toBe(400);
  });
});

test('others than the node itself report nothing, and callers without telemetry see nothing', async () => {
  const { privateKey } = (await insertInitialized(pool, 1, { firstId: firstId + 1 }))[0] as SimulatedNode;
  expect((await report({ ...node, privateKey }, { streams: [aStream('a')] })).status).toBe(401);
  const stranger = await region.key('admin', { tenant_id: idOf<TenantId>(500) });
  expect((await client(url, stranger).get(`/deployments/${node.id}/streams`)).status).toBe(404);
});

test('the agent of a node reports what its broker holds, and what is gone', async () => {
  const { id, nodes } = aDeployment();
  await region.apply({ ...aDeployment(), id, nodes });
  const own = await region.key();
  await untilStatus(url, own, id, 'initialized');
  const api = client(url, own);
  const { body } = await api.get<{ endpoints: { broker_tcp: string } }>(`/deployments/${id}`);
  const login = (await api.get<Login>(`/deployments/${id}/credentials`)).body;
  const rules = { broker_tcp: true, broker_http: true, broker_websocket: true, broker_udp: true };
  await api.post(`/deployments/${id}/access_rules`, { name: 'all', rules, cidr_blocks: ['127.0.0.0/8'] });
  const connection = await connectBroker(body.endpoints.broker_tcp, login);
  const { streams, consumers } = await jetstreamManager(connection);
  await streams.add({ name: 'orders', subjects: ['orders.>'], retention: 'workqueue', max_bytes: 1_000_000 });
  for (let count = 0; count < 5; count++) await jetstream(connection).publish('orders.new', 'one');
  await consumers.add('orders', { durable_name: 'billing', ack_policy: 'explicit' });
  const taken = await (await jetstream(connection).consumers.get('orders', 'billing')).next();
  expect(taken?.seq).toBe(1);
  await eventually(
    async () => {
      const held = await api.get<Page>(`/deployments/${id}/streams`);
      expect(held.body.items).toMatchObject([
        {
          ...{ name: 'orders', subjects: ['orders.>'], retention: 'workqueue', storage: 'file' },
          ...{ messages: 5, first_sequence: 1, last_sequence: 5, consumers: 1 },
          limits: { messages: null, bytes: 1_000_000, age_seconds: null },
        },
      ]);
      const found = await api.get<Page>(`/deployments/${id}/streams/orders/consumers`);
      expect(found.body.items).toMatchObject([
        { name: 'billing', pending: 4, ack_pending: 1, delivered_sequence: 1, ack_floor_sequence: 0 },
      ]);
    },
    { timeoutMs: 20_000 },
  );
  await streams.delete('orders');
  await eventually(
    async () => expect((await api.get<Page>(`/deployments/${id}/streams`)).body).toMatchObject({ items: [] }),
    { timeoutMs: 10_000 },
  );
  await connection.close();
}, 90_000);

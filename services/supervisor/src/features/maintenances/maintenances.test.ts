import { runAdmin } from '@sluice/admin';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { DeploymentSpec, Event } from '@sluice/contracts';
import { addReplicatedStream, aDeployment, eventually, metricsOf } from '@sluice/testing';
import { call, connectTo, untilStatus, type Deployment } from '#test/client.ts';
import { aCluster, connectToAll } from '#test/clusters.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';

const region = supervisor();
// elections take seconds, and more of them on a machine at load
const patience = { timeoutMs: 120_000 };
let url: string;
let key: string;
let single: DeploymentSpec;
let cluster: DeploymentSpec;
beforeAll(async () => {
  ({ url } = await region.start());
  await region.start();
  key = await region.key();
  single = aDeployment({ tier: 'free' });
  cluster = aCluster(3);
  await region.apply(single);
  await region.apply(cluster);
  await ready(single);
  await ready(cluster);
}, 180_000);

const admin = (...args: string[]) => runAdmin(['maintenance', ...args], region.environment);
const ready = ({ id }: DeploymentSpec) => untilStatus(url, key, id, 'initialized', patience.timeoutMs);
const nodeOf = ({ nodes }: DeploymentSpec, index = 0) => String(nodes[index]!.id);
const live = async ({ id }: DeploymentSpec) =>
  (await call(`${url}/deployments/${id}`, key)).body as Deployment;
const noticesOf = async ({ id }: DeploymentSpec) => {
  const events = await messagesAbout<Event>(region, 'events', id);
  return events.filter(({ type }) => type.startsWith('maintenance_'));
};
const planned = async (...args: string[]) => {
  const text = await admin('plan', ...args);
  return /^Maintenance (\d+) /.exec(text)?.[1] ?? text;
};
const stopped = (id: string) =>
  eventually(async () => expect(await admin('show', id)).toMatch(/ stopped +-$/m), patience);

test('tenants hear ahead, of the beginning and of the end, and the broker rests in between with its data', async () => {
  const connection = await connectTo(url, key, await live(single));
  const streams = await jetstreamManager(connection);
  await streams.streams.add({ name: 'ORDERS', subjects: ['orders'] });
  await jetstream(connection).publish('orders', 'kept');
  await connection.close();
  const id = await planned(
    '--node',
    nodeOf(single),
    '--at',
    'now',
    '--minutes',
    '30',
    '--reason',
    'new memory',
  );
  await stopped(id);
  await untilStatus(url, key, single.id, 'stopped', patience.timeoutMs);
  // it cannot be started meanwhile
  const start = `${url}/deployments/${single.id}/activities/broker/start`;
  const refused = await call(start, key, { method: 'POST', body: {} });
  expect([refused.status, refused.body]).toMatchObject([409, { code: 'state_conflict' }]);
  await expect(admin('cancel', id)).rejects.toThrow('has begun for 1 node: end it');
  await expect(admin('plan', '--node', nodeOf(single), '--at', 'now')).rejects.toThrow(
    `is in maintenance ${id}`,
  );

  expect(await admin('end', id)).toBe(`Maintenance ${id} is ended.`);
  const again = await connectTo(url, key, await ready(single));
  expect((await (await jetstreamManager(again)).streams.info('ORDERS')).state.messages).toBe(1);
  await again.close();
  expect(await admin('end', id)).toBe(`Maintenance ${id} is over; nothing is changed.`);
  const events = await noticesOf(single);
  expect(events.map(({ type }) => type)).toEqual([
    'maintenance_planned',
    'maintenance_began',
    'maintenance_ended',
  ]);
  const node = { id: single.nodes[0]!.id, name: single.nodes[0]!.name };
  expect(events[0]).toMatchObject({
    author: null,
    data: { nodes: [node], minutes: 30, reason: 'new memory' },
  });
}, 240_000);

test('of a cluster one node rests while the others serve, and the next one only once it is well again', async () => {
  await expect(
    admin('plan', '--node', nodeOf(cluster), '--node', nodeOf(cluster, 1), '--at', 'now'),
  ).rejects.toThrow('are of one cluster');
  const connection = await connectToAll(url, key, await ready(cluster));
  await addReplicatedStream(connection, 'ORDERS', 'orders');
  const first = await planned('--node', nodeOf(cluster), '--at', 'now');
  await stopped(first);
  const second = await planned('--node', nodeOf(cluster, 1), '--at', 'now');
  await eventually(async () => expect(await admin('show', second)).toMatch(/planned +another maintenance/));
  await eventually(() => jetstream(connection).publish('orders', 'meanwhile'), patience);
  expect((await live(cluster)).status).toBe('initialized');
  await admin('end', first);
  await stopped(second);
  expect(await admin('show', first)).toMatch(/ ended +-$/m);
  await eventually(() => jetstream(connection).publish('orders', 'meanwhile'), patience);
  await admin('end', second);
  await eventually(async () => expect(await admin('show', second)).toMatch(/ ended +-$/m), patience);
  await connection.close();
}, 240_000);

test('what was cancelled, or could not begin in time, does not begin, and its tenant hears of that', async () => {
  const before = (await noticesOf(single)).length;
  const types = async () => (await noticesOf(single)).slice(before).map(({ type }) => type);
  const later = new Date(Date.now() + 86_400_000).toISOString();
  const id = await planned('--node', nodeOf(single), '--at', later);
  await expect(admin('end', id)).rejects.toThrow('has not begun: cancel it');
  expect(await admin('cancel', id)).toBe(`Maintenance ${id} is cancelled.`);
  expect(await admin('list', '--after', String(Number(id) - 1))).toMatch(/ 60 +1 cancelled +-$/);

  const missed = await planned('--node', nodeOf(single), '--at', later);
  await region.sql(`UPDATE maintenances SET starts_at = now() - interval '2 h' WHERE id = ${missed}`);
  await eventually(async () => expect(await admin('show', missed)).toMatch(/ cancelled +-$/m));
  expect(await types()).toEqual([
    ...['maintenance_planned', 'maintenance_cancelled'],
    ...['maintenance_planned', 'maintenance_cancelled'],
  ]);
  expect((await live(single)).status).toBe('initialized');
}, 60_000);

test('a broker that its owner had stopped stays stopped', async () => {
  const act = (action: string) =>
    call(`${url}/deployments/${single.id}/activities/broker/${action}`, key, { method: 'POST', body: {} });
  await act('stop');
  await untilStatus(url, key, single.id, 'stopped', patience.timeoutMs);
  const id = await planned('--node', nodeOf(single), '--at', 'now');
  await stopped(id);
  // operators see one that they have forgotten
  await region.sql(`UPDATE maintenances SET starts_at = now() - interval '2 h' WHERE id = ${id}`);
  const overdue = (count: number) =>
    eventually(
      async () =>
        expect(await metricsOf(url)).toMatch(new RegExp(`^sluice_maintenance_overdue_nodes ${count}$`, 'm')),
      patience,
    );
  await overdue(1);
  expect(await admin('end', id)).toBe(`Maintenance ${id} is ended.`);
  expect((await live(single)).status).toBe('stopped');
  await overdue(0);
  await act('start');
  await ready(single);
}, 120_000);

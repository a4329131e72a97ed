import { consumerOf, topology, type Sender } from '@sluice/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { eventually, makeStreams, natsUsers, ownNats, type OwnServer } from '@sluice/testing';
import winston from 'winston';
import { Durable } from './durable.ts';
import { keepConsumers } from './keep-consumers.ts';
import { closeNats, connectNats } from './nats.ts';

const names = topology('sluice');
const region = 'supervisor/cloud_a/us-east-1';
const quiet = winston.createLogger({ silent: true });
const { users, environmentOf } = natsUsers(['main-api', 'audit', region]);
const connections = new Map<Sender, NatsConnection>();
const durables = new Map<Sender, Durable>();
const registered: Sender[] = ['main-api', 'audit'];
let server: OwnServer;
let end: () => Promise<void> = () => Promise.resolve();

const as = (sender: Sender): NatsConnection => {
  const nats = connections.get(sender);
  if (!nats) throw new Error(`${sender} is not connected`);
  return nats;
};
const has = (sender: Sender) => durables.get(sender)?.isThere ?? false;

beforeAll(async () => {
  server = await ownNats(users);
  for (const sender of ['main-api', 'audit', region] as const) {
    const environment = { NATS_URL: server.url, ...environmentOf(sender) };
    connections.set(sender, await connectNats(environment, sender, sender, quiet));
  }
  await makeStreams(as('main-api'), names);
  for (const sender of ['audit', region] as const) {
    const durable = new Durable({
      ...{ nats: as(sender), log: quiet, declares: false, lookEveryMilliseconds: 50, filter: undefined },
      ...consumerOf(names, sender),
    });
    durables.set(sender, durable);
    await durable.start();
  }
});
afterAll(async () => {
  await end();
  for (const durable of durables.values()) await durable.stop();
  for (const nats of connections.values()) await closeNats(nats);
  await server.remove();
});

test('a service waits until main-api has made its consumer, a region until it has registered', async () => {
  expect([has('audit'), has(region)]).toEqual([false, false]);
  end = keepConsumers({
    ...{ nats: as('main-api'), topology: names, log: quiet, everySeconds: 0.05 },
    senders: () => Promise.resolve(registered),
  });
  await eventually(() => expect(has('audit')).toBe(true));
  expect(has(region)).toBe(false);
  registered.push(region);
  await eventually(() => expect(has(region)).toBe(true));
});

test('when NATS has lost its data they go on by themselves', async () => {
  await server.wipe();
  await eventually(() => expect([has('audit'), has(region)]).toEqual([false, false]));
  await eventually(() => makeStreams(as('main-api'), names));
  await eventually(() => expect([has('audit'), has(region)]).toEqual([true, true]));
});

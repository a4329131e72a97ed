import { randomBytes } from 'node:crypto';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { eventually, ownNats, type OwnServer } from '@sluice/testing';
import { copyStream, type Side } from './stream-copy.ts';

let servers: [OwnServer, OwnServer];
let from: Side;
let to: Side;
beforeAll(async () => {
  servers = await Promise.all([ownNats(), ownNats()]);
  [from, to] = (await Promise.all(servers.map(sideOf))) as [Side, Side];
  const streams = await jetstreamManager(from.connection);
  await streams.streams.add({ name: 'ORDERS', subjects: ['orders'] });
  for (let count = 0; count < messages; count += 1)
    await jetstream(from.connection).publish('orders', randomBytes(512 * 1024));
});
afterAll(async () => {
  await Promise.all([from, to].map(({ connection }) => connection.close()));
  await Promise.all(servers.map((server) => server.remove()));
});

const sideOf = async ({ url }: OwnServer): Promise<Side> => ({
  connection: await connect({ servers: url }),
  nodes: 1,
});
/** more than a broker sends ahead of what was acknowledged */
const messages = 48;

/** Has something happen once the other side has the first chunk. */
async function atFirstChunk(happens: () => void): Promise<void> {
  from.connection.subscribe('$JS.SNAPSHOT.ACK.>', { max: 1, callback: happens });
  await from.connection.flush();
}

const thereAre = async () => await (await jetstreamManager(to.connection)).streams.names().next();

test('a copy that is interrupted is taken back', async () => {
  const leaving = await sideOf(servers[0]);
  await atFirstChunk(() => void leaving.connection.close());
  await expect(copyStream(leaving, to, 'ORDERS', 10_000)).rejects.toThrow();
  expect(await thereAre()).toEqual([]);
}, 60_000);

test('a copy whose broker falls silent ends, is taken back, and can be made again', async () => {
  await atFirstChunk(() => servers[0].pause());
  await expect(copyStream(from, to, 'ORDERS', 3_000)).rejects.toThrow('sends no more of the snapshot');
  servers[0].resume();
  expect(await thereAre()).toEqual([]);

  const copied = await eventually(() => copyStream(from, to, 'ORDERS', 10_000), { timeoutMs: 30_000 });
  expect(copied).toBe(messages);
  await expect(copyStream(from, to, 'ORDERS', 10_000)).rejects.toThrow('already in use');
  const { state } = await (await jetstreamManager(to.connection)).streams.info('ORDERS');
  expect(state).toMatchObject({ messages, first_seq: 1 });
}, 60_000);

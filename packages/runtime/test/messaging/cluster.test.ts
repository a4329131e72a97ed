import { topology } from '@sluice/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { eventually, freePort, ownNats, type OwnServer, collectedLog } from '@sluice/testing';
import { announcementStream, ensureGrantBuckets, grantStream } from '@sluice/grants';
import { Streams } from '@sluice/messaging';

const names = topology('sluice');
const { events, commands } = names.streams;
const { log, lines } = collectedLog();
const servers: OwnServer[] = [];
const connections: NatsConnection[] = [];

async function connected(url: string): Promise<NatsConnection> {
  const nats = await connect({ servers: url });
  connections.push(nats);
  return nats;
}

/** Has the owner of the streams look at them once. */
async function own(nats: NatsConnection, replicas: number): Promise<void> {
  const streams = new Streams({ nats, streams: [events, commands], owner: true, replicas, log });
  await streams.start();
  await streams.stop();
  await streams.check();
}

afterAll(async () => {
  for (const nats of connections) await nats.close();
  for (const server of servers) await server.remove();
});

test('streams and buckets are kept on as many servers of a cluster as is said, those that are there too', async () => {
  const ports = [await freePort(), await freePort(), await freePort()];
  const routes = ports.map((port) => `nats://127.0.0.1:${port}`);
  const started = ports.map((port, place) =>
    ownNats(undefined, {
      server_name: `server-${place}`,
      cluster: { name: 'test', listen: `127.0.0.1:${port}`, routes },
    }),
  );
  servers.push(...(await Promise.all(started)));
  const nats = await connected(servers[0]?.url ?? '');
  const manager = await eventually(() => jetstreamManager(nats), { timeoutMs: 60_000 });
  const replicas = async () =>
    Promise.all(
      [events.name, commands.name, grantStream(names), announcementStream(names)].map(async (name) => {
        const { config, cluster } = await manager.streams.info(name);
        return [config.num_replicas, cluster?.replicas?.length ?? 0];
      }),
    );
  await eventually(() => own(nats, 1), { timeoutMs: 60_000 });
  await ensureGrantBuckets(manager, names, 1);
  expect(await replicas()).toEqual(Array(4).fill([1, 0]));
  // the servers have to know each other first
  await eventually(
    async () => {
      await own(nats, 3);
      await ensureGrantBuckets(manager, names, 3);
      expect(await replicas()).toEqual(Array(4).fill([3, 2]));
    },
    { timeoutMs: 60_000, everyMs: 200 },
  );

  // more than there are servers: what is there stays as it is, and goes on
  lines.length = 0;
  await own(nats, 5);
  await ensureGrantBuckets(manager, names, 5);
  expect(await replicas()).toEqual(Array(4).fill([3, 2]));
  expect(lines.map(({ level, stream }) => [level, stream]).sort()).toEqual([
    ['error', commands.name],
    ['error', events.name],
  ]);
}, 180_000);

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { DeploymentSpec, NodeId } from '@sluice/contracts';
import {
  addReplicatedStream,
  countLost,
  eventually,
  publishSteadily,
  type SteadyPublisher,
} from '@sluice/testing';
import { call, untilGone, untilStatus } from '#test/client.ts';
import { aCluster, connectToAll, nodesOf } from '#test/clusters.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';

// elections take seconds, and more of them on a machine at load
const patience = { timeoutMs: 120_000 };

describe('a cluster', () => {
  const region = supervisor();
  let url: string;
  let key: string;
  let shape: DeploymentSpec;
  let connection: NatsConnection;
  let publisher: SteadyPublisher;

  beforeAll(async () => {
    ({ url } = await region.start());
    key = await region.key();
    shape = aCluster(3, {
      encrypted: true,
      storage: { type: 'network_balanced', size: 10 },
      limits: { access_rules: 10, broker_memory: 2 ** 20, broker_disk: 10 ** 8, backups: 3, backup_days: 30 },
    });
    await region.apply(shape);
    connection = await connectToAll(url, key, await ready());
    await addReplicatedStream(connection, 'ORDERS', 'orders');
    publisher = publishSteadily(connection, 'orders');
  }, 180_000);

  afterAll(async () => {
    await publisher?.stop();
    await connection?.close();
  });

  const ready = () => untilStatus(url, key, shape.id, 'initialized', patience.timeoutMs);
  const brokerOf = async (id: NodeId): Promise<number> => {
    const text = await readFile(join(region.nodesFolder, String(id), 'broker.pid'), 'utf8');
    return (JSON.parse(text) as { pid: number }).pid;
  };
  const brokers = () => Promise.all(shape.nodes.map(({ id }) => brokerOf(id)));
  const turns = async () => {
    const [row] = await region.sql<{ turn: number | null }>(
      'SELECT turn_node_id AS turn FROM deployment_clusters',
    );
    return row?.turn ?? null;
  };
  /** Waits until every node has all of its copies, by what all of them say. */
  const untilWhole = () =>
    eventually(async () => {
      const nodes = await region.sql<{ cluster: { healthy: boolean; behind: string[]; leader: boolean } }>(
        'SELECT cluster FROM nodes',
      );
      const said = nodes.map(({ cluster }) => [cluster.healthy, cluster.behind]);
      expect(said).toEqual(nodes.map(() => [true, []]));
      expect(nodes.filter(({ cluster }) => cluster.leader)).toHaveLength(1);
      expect(await turns()).toBeNull();
    }, patience);
  const goesOn = async () => {
    const before = publisher.acknowledged;
    await eventually(() => expect(publisher.acknowledged).toBeGreaterThan(before + 5), patience);
  };

  test('has one leader, which people see, and brokers that nobody else gets into', async () => {
    const { nodes } = await ready();
    expect(nodes.filter(({ leader }) => leader === true)).toHaveLength(1);
    expect(new Set(nodes.map(({ endpoints }) => endpoints.broker_tcp)).size).toBe(3);
    const configuration = await readFile(
      join(region.nodesFolder, String(shape.nodes[0]!.id), 'broker.conf'),
      'utf8',
    );
    expect(configuration).toMatch(/cluster: .*verify: true/);
    // of which each broker has a copy
    const summary = async () => (await call(`${url}/tenants/${shape.tenant_id}/summary`, key)).body;
    await eventually(async () => expect(await summary()).toMatchObject({ total_streams: 1 }), patience);
  });

  test('loses nothing when a node is killed, which comes back by itself', async () => {
    await goesOn();
    const [victim] = await brokers();
    process.kill(victim!, 'SIGKILL');
    await goesOn();
    await eventually(async () => expect(await brokerOf(shape.nodes[0]!.id)).not.toBe(victim), patience);
    await untilWhole();
    expect((await ready()).status_reason).toBeNull();
  }, 180_000);

  test('restarts its nodes one at a time, and goes on meanwhile', async () => {
    const before = await brokers();
    const seen = new Set<number>();
    publisher.forgetGap();
    const path = `${url}/deployments/${shape.id}/activities/broker/restart`;
    expect((await call(path, key, { method: 'POST', body: {} })).status).toBe(202);
    await eventually(async () => {
      const turn = await turns();
      if (turn !== null) seen.add(turn);
      const tasks = await region.sql<{ status: string }>('SELECT status FROM tasks');
      expect(tasks.map(({ status }) => status)).toEqual(shape.nodes.map(() => 'completed'));
    }, patience);
    await untilWhole();
    const after = await brokers();
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
    expect(seen.size).toBeGreaterThan(1);
    await goesOn();
  }, 180_000);

  test('keeps the key of its data: nats-server cannot encrypt the Raft log of a cluster with another', async () => {
    const versions = 'SELECT (applied ->> $1)::int AS version FROM nodes';
    await eventually(
      async () =>
        expect(await region.sql(versions, ['encryption_version'])).toEqual(
          shape.nodes.map(() => ({ version: 1 })),
        ),
      patience,
    );
    const path = `${url}/deployments/${shape.id}/encryption/rotate`;
    expect(await call(path, key, { method: 'POST' })).toMatchObject({
      ...{ status: 409, body: { code: 'rotation_requires_standalone' } },
    });
  }, 180_000);

  test('gives a node its data back from the others', async () => {
    await untilWhole();
    const lost = shape.nodes[1]!;
    await eventually(async () =>
      expect(await region.sql('SELECT FROM nodes WHERE deployed_at IS NULL')).toEqual([]),
    );
    await region.loseNode(lost.id);
    await eventually(async () => {
      const events = await messagesAbout<{ type: string; data: unknown }>(region, 'events', shape.id);
      expect(events.map(({ type }) => type)).toContain('deployment_nodes_rebuilt');
      expect(events.map(({ type }) => type)).not.toContain('deployment_data_lost');
      expect(await region.sql('SELECT FROM nodes WHERE deployed_at IS NULL')).toEqual([]);
    }, patience);
    await untilWhole();
    await goesOn();
  }, 240_000);

  const whenAll = process.env.CLUSTER_TESTS === 'all' ? test : test.skip;

  whenAll(
    'takes up another certificate without a restart, and lets in who comes back with it',
    async () => {
      const before = await brokers();
      const certificates = () => region.sql('SELECT certificate FROM deployment_clusters');
      const former = await certificates();
      await region.sql(
        `UPDATE deployment_clusters SET not_before = now() - interval '300 d', not_after = now() + interval '1 d'`,
      );
      await region.apply({ ...shape, name: 'renamed' }, 2);
      await eventually(async () => expect(await certificates()).not.toEqual(former), patience);
      await untilWhole();
      expect(await brokers()).toEqual(before);
      process.kill(before[2]!, 'SIGKILL');
      await eventually(async () => expect(await brokers()).not.toEqual(before), patience);
      await goesOn();
      await untilWhole();
    },
    240_000,
  );

  whenAll(
    'goes back to a backup as a whole',
    async () => {
      const backups = `${url}/deployments/${shape.id}/backups`;
      const streams = await jetstreamManager(connection, { timeout: 10_000 });
      await addReplicatedStream(connection, 'KEPT', 'kept');
      const count = async () => (await streams.streams.info('KEPT')).state.messages;
      const publish = () => jetstream(connection, { timeout: 10_000 }).publish('kept', 'text');
      await publish();
      await publisher.stop();
      const { body } = await call(backups, key, { method: 'POST', body: { name: 'all of it' } });
      const { id } = body as { id: number };
      const status = async () => ((await call(`${backups}/${id}`, key)).body as { status: string }).status;
      await eventually(async () => expect(await status()).toBe('completed'), patience);
      await eventually(publish, patience);
      await eventually(async () => expect(await count()).toBe(2), patience);
      const events = async () =>
        (await messagesAbout<{ type: string }>(region, 'events', shape.id)).map(({ type }) => type);
      expect((await call(`${backups}/${id}/restore`, key, { method: 'POST' })).status).toBe(202);
      await eventually(async () => expect(await events()).toContain('backup_restored'), patience);
      await ready();
      await untilWhole();
      await eventually(async () => expect(await count()).toBe(1), patience);
      publisher = publishSteadily(connection, 'orders', 5, publisher.acknowledged);
      await goesOn();
    },
    300_000,
  );

  whenAll(
    'takes two more nodes',
    async () => {
      const upgrade_id = randomUUID();
      const larger = { ...shape, nodes: nodesOf(shape, 5), upgrade_id };
      await region.apply(larger, 3);
      await region.extend(larger, { generation: 3, upgrade_id });
      await eventually(async () => {
        const [upgrade] = await region.sql<{ state: string }>('SELECT state FROM deployment_upgrades');
        expect(upgrade?.state).toBe('completed');
      }, patience);
      shape = larger;
      await ready();
      await untilWhole();
      await goesOn();
    },
    240_000,
  );

  test('has kept every message that was acknowledged', async () => {
    await publisher.stop();
    expect(await countLost(connection, 'ORDERS', publisher.acknowledged)).toBe(0);
    await region.remove(shape.id);
    await untilGone(url, key, shape.id, patience.timeoutMs);
  }, 180_000);
});

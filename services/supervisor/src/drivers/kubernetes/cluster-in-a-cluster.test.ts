import { randomUUID } from 'node:crypto';
import type { NatsConnection } from '@nats-io/transport-node';
import type { DeploymentSpec } from '@sluice/contracts';
import {
  addReplicatedStream,
  countLost,
  eventually,
  publishSteadily,
  type SteadyPublisher,
} from '@sluice/testing';
import { untilGone, untilStatus } from '#test/client.ts';
import {
  addressOf,
  clusterSettings,
  describeWithNodes,
  testCluster,
  type TestCluster,
} from '@sluice/driver-kubernetes/testing/fixtures/cluster.ts';
import { aCluster, connectToAll } from '#test/clusters.ts';
import { supervisor } from '#test/region.ts';

/** milliseconds */
const limit = 400_000;
const patient = { timeoutMs: 300_000, everyMs: 250 };

describeWithNodes('a deployment that is a cluster, in pods', () => {
  const region = supervisor();
  let cluster: TestCluster;
  let url: string;
  let key: string;
  let shape: DeploymentSpec;
  let connection: NatsConnection;
  let publisher: SteadyPublisher;

  beforeAll(async () => {
    cluster = await testCluster();
    // the cluster of the tests may be one machine
    const environment = { ...clusterSettings(cluster), KUBERNETES_CLUSTER_SPREAD: 'preferred' };
    url = addressOf((await region.startWith({}, { environment })).url);
    key = await region.key();
    shape = aCluster(3, { storage: { type: 'network_balanced', size: 10 }, uid: randomUUID() });
    await region.apply(shape);
    connection = await connectToAll(url, key, await ready());
    await addReplicatedStream(connection, 'ORDERS', 'orders');
    publisher = publishSteadily(connection, 'orders');
  }, limit);

  afterAll(async () => {
    await publisher?.stop();
    await connection?.close();
    await cluster.close();
  }, limit);

  const ready = () => untilStatus(url, key, shape.id, 'initialized', patient.timeoutMs);
  const podOf = (node: DeploymentSpec['nodes'][number]) => ({
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { name: `node-${node.id}-0`, namespace: `${cluster.owner}-d${shape.id}` },
  });
  const uids = () =>
    Promise.all(shape.nodes.map(async (node) => (await cluster.admin.read(podOf(node))).metadata.uid));
  const goesOn = async () => {
    const before = publisher.acknowledged;
    await eventually(() => expect(publisher.acknowledged).toBeGreaterThan(before + 5), patient);
  };
  const untilWhole = () =>
    eventually(async () => {
      const nodes = await region.sql<{ cluster: { healthy: boolean; behind: string[] } }>(
        'SELECT cluster FROM nodes',
      );
      expect(nodes.map(({ cluster: { healthy, behind } }) => [healthy, behind])).toEqual(
        nodes.map(() => [true, []]),
      );
      expect(await region.sql('SELECT FROM deployment_clusters WHERE turn_node_id IS NOT NULL')).toEqual([]);
    }, patient);

  test(
    'goes on when a pod is killed, and gets it back',
    async () => {
      await goesOn();
      const [former] = await uids();
      await cluster.admin.delete(podOf(shape.nodes[0]!), { gracePeriodSeconds: 0 });
      await goesOn();
      await eventually(async () => {
        const [uid] = await uids();
        expect(uid).not.toBe(former);
      }, patient);
      await untilWhole();
      await goesOn();
    },
    limit,
  );

  test(
    'replaces its pods one at a time where they get another size',
    async () => {
      await untilWhole();
      const before = await uids();
      const turns = new Set<number>();
      await region.upgrade(shape, {}, { tier: 'small' });
      await eventually(async () => {
        const [row] = await region.sql<{ turn: number | null }>(
          'SELECT turn_node_id AS turn FROM deployment_clusters',
        );
        if (row?.turn) turns.add(row.turn);
        const [upgrade] = await region.sql<{ state: string }>('SELECT state FROM deployment_upgrades');
        expect(upgrade?.state).toBe('completed');
      }, patient);
      expect((await uids()).filter((uid) => before.includes(uid))).toEqual([]);
      expect([...turns].sort()).toEqual(shape.nodes.map(({ id }) => Number(id)).sort());
      await ready();
      await goesOn();
    },
    limit,
  );

  test(
    'has kept every message that was acknowledged, and leaves nothing behind',
    async () => {
      await publisher.stop();
      expect(await countLost(connection, 'ORDERS', publisher.acknowledged)).toBe(0);
      await region.remove(shape.id);
      await untilGone(url, key, shape.id, patient.timeoutMs);
      expect(await cluster.namespaces()).toEqual([]);
    },
    limit,
  );
});

import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { DeploymentSpec } from '@sluice/contracts';
import { aDeployment, client, eventually } from '@sluice/testing';
import { connectTo, untilGone, untilStatus, type Deployment } from '#test/client.ts';
import {
  addressOf,
  clusterSettings,
  describeWithNodes,
  testCluster,
  type TestCluster,
} from '@sluice/driver-kubernetes/testing/fixtures/cluster.ts';
import { supervisor } from '#test/region.ts';

/** milliseconds */
const limit = 180_000;
const patient = { timeoutMs: 120_000, everyMs: 250 };

describeWithNodes('a deployment in a cluster', () => {
  const region = supervisor();
  let cluster: TestCluster;
  let url: string;
  let key: string;

  beforeAll(async () => {
    cluster = await testCluster();
    const replica = await region.startWith({}, { environment: clusterSettings(cluster) });
    url = addressOf(replica.url);
    key = await region.key();
  }, limit);
  afterAll(() => cluster.close(), limit);

  async function deploy(): Promise<{ shape: DeploymentSpec; deployment: Deployment }> {
    const shape = aDeployment();
    await region.apply(shape);
    return { shape, deployment: await untilStatus(url, key, shape.id, 'initialized', 45_000) };
  }
  const now = async (id: number) => (await client(url, key).get<Deployment>(`/deployments/${id}`)).body;
  const header = (kind: string, { id, nodes }: DeploymentSpec, name = `node-${nodes[0]!.id}`) => ({
    apiVersion: { StatefulSet: 'apps/v1', NetworkPolicy: 'networking.k8s.io/v1' }[kind] ?? 'v1',
    kind,
    metadata: { name, namespace: `${cluster.owner}-d${id}` },
  });
  const healthy = async (id: number) => {
    const deployment = await now(id);
    expect(deployment).toMatchObject({ status: 'initialized', status_reason: null });
    return deployment;
  };

  test(
    'serves a stock client through its Service, and keeps its data when its pod is killed',
    async () => {
      const { shape, deployment } = await deploy();
      const before = await connectTo(url, key, deployment);
      await (await jetstreamManager(before)).streams.add({ name: 'KEPT', subjects: ['kept'] });
      await jetstream(before).publish('kept', 'still here');
      await before.close();

      const pod = header('Pod', shape, `node-${shape.nodes[0]!.id}-0`);
      const former = (await cluster.admin.read(pod)).metadata.uid;
      await cluster.admin.delete(pod, { gracePeriodSeconds: 0 });
      await before.close();
      await eventually(
        async () => expect((await cluster.admin.read(pod)).metadata.uid).not.toBe(former),
        patient,
      );
      const after = await eventually(async () => connectTo(url, key, await healthy(shape.id)), patient);
      expect((await (await jetstreamManager(after)).streams.info('KEPT')).state.messages).toBe(1);
      await after.close();
    },
    limit,
  );

  test(
    'cuts who was let in once the access rule is deleted, and the cluster lets nobody in either',
    async () => {
      const { shape, deployment } = await deploy();
      const connection = await connectTo(url, key, deployment, { reconnect: false });
      const rules = `/deployments/${shape.id}/access_rules`;
      const { body } = await client(url, key).get<{ id: number }[]>(rules);
      expect((await client(url, key).delete(`${rules}/${body[0]!.id}`)).status).toBe(204);
      await connection.closed();
      await eventually(async () => {
        expect(await cluster.admin.read(header('NetworkPolicy', shape))).not.toHaveProperty('spec.ingress');
      }, patient);
      await expect(connectTo(url, key, deployment, { reconnect: false, timeout: 2_000 })).rejects.toThrow();
    },
    limit,
  );

  test(
    'comes back when its objects are deleted by hand, and is gone with everything once it is deleted',
    async () => {
      const { shape } = await deploy();
      for (const kind of ['StatefulSet', 'Service', 'NetworkPolicy'])
        await cluster.admin.delete(header(kind, shape));
      await cluster.admin.delete(header('NetworkPolicy', shape, 'nobody'));
      await eventually(async () => {
        const connection = await connectTo(url, key, await healthy(shape.id), { timeout: 2_000 });
        await connection.close();
        for (const kind of ['StatefulSet', 'Service', 'NetworkPolicy'])
          await cluster.admin.read(header(kind, shape));
      }, patient);
      await cluster.admin.read(header('NetworkPolicy', shape, 'nobody'));

      await region.remove(shape.id);
      await untilGone(url, key, shape.id, 120_000);
      expect(await cluster.namespaces()).not.toContain(`${cluster.owner}-d${shape.id}`);
    },
    limit,
  );
});

import { randomUUID } from 'node:crypto';
import { idOf, type DeploymentSpec, type NodeId, type TenantId } from '@sluice/contracts';
import { computeConformance } from '@sluice/drivers/conformance';
import { createLog } from '@sluice/system/log';
import { aDeployment, eventually, faultProxy } from '@sluice/testing';
import { describeInCluster, testCluster, type TestCluster } from '#test/cluster.ts';
import { aCall, aNode } from '#test/cluster-nodes.ts';
import { anInstallation } from '#test/cluster-objects.ts';
import type { ComputeDriver, NetworkRule, NodeToEnsure } from '@sluice/drivers';
import { connectTo, readKubeconfig } from './connection.ts';
import type { Installation } from './installation.ts';
import { createKubernetesApi } from './kubernetes-api.ts';
import { createKubernetesDriver } from './kubernetes-driver.ts';

const zoneLabel = 'topology.kubernetes.io/zone';
/** a cluster takes its time, milliseconds */
const limit = 90_000;
const patient = { timeoutMs: 60_000, everyMs: 200 };
const everybody: NetworkRule = { protocols: ['broker_tcp'], cidr_blocks: ['0.0.0.0/0'], valid_to: null };

const aShape = (more: Partial<DeploymentSpec> = {}) => aDeployment({ uid: randomUUID(), ...more });
describeInCluster('the driver, at a real API server', () => {
  let cluster: TestCluster;
  let driver: ComputeDriver;
  const stopping = new AbortController();
  const changed = new Set<NodeId>();
  const atEnd: (() => void)[] = [];
  afterEach(() => atEnd.splice(0).forEach((end) => end()));

  const start = (kubeconfig = cluster.kubeconfig, more: Partial<Installation> = {}) =>
    createKubernetesDriver({
      api: createKubernetesApi(connectTo(readKubeconfig(kubeconfig), stopping.signal)),
      installation: anInstallation({
        owner: cluster.owner,
        role: cluster.role,
        image: 'nowhere.invalid/none:1',
        ...more,
      }),
      stopping: stopping.signal,
      now: () => new Date(),
      log: createLog({ service: 'supervisor', level: 'error' }),
    });

  beforeAll(async () => {
    cluster = await testCluster();
    driver = start();
    driver.watch?.((nodes) => nodes.forEach((node) => changed.add(node)));
  }, limit);
  afterAll(async () => {
    stopping.abort();
    await cluster.close();
  }, limit);

  const header = (kind: string, shape: DeploymentSpec, name = `node-${shape.nodes[0]!.id}`) => ({
    apiVersion: { StatefulSet: 'apps/v1', NetworkPolicy: 'networking.k8s.io/v1' }[kind] ?? 'v1',
    kind,
    metadata: { name, namespace: `${cluster.owner}-d${shape.id}` },
  });
  const read = (...of: Parameters<typeof header>) => cluster.admin.read(header(...of));
  const kinds = ['PersistentVolumeClaim', 'Secret', 'Service', 'NetworkPolicy', 'StatefulSet'] as const;
  const versions = async (shape: DeploymentSpec) => {
    const objects = await Promise.all(kinds.map((kind) => read(kind, shape)));
    return objects.map(({ metadata }) => metadata.uid);
  };
  /** Brings it up, and waits until the driver's own copy has it. */
  async function deploy(node: NodeToEnsure): Promise<void> {
    await driver.ensureNode(node, aCall());
    await eventually(async () => {
      const seen = await driver.observe({ ...node, enrolled: true }, aCall());
      expect(seen).toMatchObject({ drifted: false, dataGone: false });
    }, patient);
  }

  computeConformance('kubernetes', {
    isThere: () => true,
    driver: () => driver,
    aNode: () => aNode(aShape()),
    enrols: (node) => void (node.enrolled = true),
    async present({ deploymentId }) {
      const namespace = `${cluster.owner}-d${deploymentId}`;
      const found = await Promise.all(kinds.map((kind) => cluster.objects(kind, namespace)));
      return found.flat().map(({ metadata }) => metadata.uid);
    },
    // the image is nowhere
    hasAgents: false,
    pauseSeconds: 0.5,
  });

  test(
    'makes a node, finds it, and says what it waits for',
    async () => {
      const shape = aShape();
      const node = aNode(shape, { rules: [everybody] });
      expect(await driver.observe(node, aCall())).toEqual({ presence: 'none' });
      await deploy(node);
      await eventually(async () => {
        const { presence, reason } = await driver.observe(node, aCall());
        expect({ presence, reason }).toEqual({
          presence: 'stopped',
          reason: expect.stringMatching(/pod|machine/) as string,
        });
      }, patient);
      expect(await driver.list()).toContainEqual({ id: node.id, deploymentUid: shape.uid });
      expect(changed).toContain(node.id);
      const { data } = await read('Secret', shape);
      expect(Buffer.from((data as { token: string }).token, 'base64').toString()).toBe(node.tokens[0]);
    },
    limit,
  );

  test(
    'removes a namespace in which a call that was cut short has left it without rights',
    async () => {
      const node = aNode(aShape());
      const name = `${cluster.owner}-d${node.deploymentId}`;
      const labels = {
        'sluice.example/owner': cluster.owner,
        'sluice.example/deployment': String(node.deploymentId),
        'pod-security.kubernetes.io/enforce': 'restricted',
        [`node.sluice.example/${node.id}`]: '',
      };
      await cluster.supervisor.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
      await eventually(() => driver.removeNode(node.id, aCall()), patient);
      expect(await cluster.namespaces()).not.toContain(name);
    },
    limit,
  );

  test(
    'writes nothing where all is as it should be, also with another replica',
    async () => {
      const [shape, other] = [aShape(), start()];
      const node = aNode(shape);
      await deploy(node);
      const before = await cluster.admin.read(header('StatefulSet', shape));
      let writes = 0;
      const confirm = () => Promise.resolve(void writes++);
      await Promise.all([driver, other].map((one) => one.ensureNode(node, aCall({ confirm }))));
      expect(writes).toBe(0);
      const after = await cluster.admin.read(header('StatefulSet', shape));
      expect(after.metadata.generation).toBe(before.metadata.generation);
      expect(node.tokens).toHaveLength(1);
    },
    limit,
  );

  test(
    'puts back what somebody has changed or deleted by hand, and leaves what they have added',
    async () => {
      const shape = aShape();
      const node = { ...aNode(shape, { rules: [everybody] }), enrolled: false };
      await deploy(node);
      changed.clear();
      await cluster.admin.delete(header('Service', shape));
      await cluster.admin.delete(header('ResourceQuota', shape, 'nodes'));
      await cluster.admin.patch({
        ...header('NetworkPolicy', shape),
        spec: { ingress: [{}] },
      });
      await cluster.admin.patch({ ...header('StatefulSet', shape), spec: { replicas: 0 } });
      const { metadata, ...claim } = header('PersistentVolumeClaim', shape);
      await cluster.admin.patch({ ...claim, metadata: { ...metadata, labels: { theirs: 'yes' } } });
      await eventually(async () => {
        expect(changed).toContain(node.id);
        expect(await driver.observe({ ...node, enrolled: true }, aCall())).toMatchObject({ drifted: true });
      }, patient);
      await eventually(() => driver.ensureNode(node, aCall()), patient);
      await deploy(node);
      expect(await read('StatefulSet', shape)).toMatchObject({ spec: { replicas: 1 } });
      expect(await read('NetworkPolicy', shape)).toMatchObject({
        spec: { ingress: [{ from: [{ ipBlock: { cidr: '0.0.0.0/0' } }] }] },
      });
      expect(await read('PersistentVolumeClaim', shape)).toMatchObject({
        metadata: { labels: { theirs: 'yes' } },
      });
    },
    limit,
  );

  test(
    'takes over access rules as they change',
    async () => {
      const shape = aShape();
      const node = aNode(shape, { rules: [everybody] });
      await deploy(node);
      const closed = { ...node, wanted: () => aNode(shape).wanted() };
      expect(await driver.observe({ ...closed, enrolled: true }, aCall())).toMatchObject({ drifted: true });
      await deploy(closed);
      expect((await read('NetworkPolicy', shape))['spec']).not.toHaveProperty('ingress');
    },
    limit,
  );

  test(
    'makes what the brokers of a cluster find each other by',
    async () => {
      const shape = aShape({ cluster: 'cluster' });
      const node = aNode(shape);
      await deploy(node);
      await eventually(
        async () =>
          expect(await driver.observe({ ...node, enrolled: true }, aCall())).toMatchObject({
            ...{ drifted: false, awaitsRestart: false },
          }),
        patient,
      );
      expect(await read('Service', shape, 'brokers')).toMatchObject({ spec: { clusterIP: 'None' } });
      expect(await read('NetworkPolicy', shape)).toMatchObject({
        spec: { ingress: [{ ports: [{ port: 6222 }] }] },
      });
    },
    limit,
  );

  test(
    'leaves alone what has its names and is not its own',
    async () => {
      const shape = aShape();
      const name = `${cluster.owner}-d${shape.id}`;
      const theirs = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { theirs: 'yes' } } };
      await cluster.admin.create(theirs);
      const node = aNode(shape);
      await expect(driver.ensureNode(node, aCall())).rejects.toThrow(
        /is not of this installation|not of this installation/,
      );
      expect(await driver.observe(node, aCall())).toEqual({ presence: 'none' });
      await driver.removeNode(node.id, aCall());
      expect((await cluster.admin.read(theirs)).metadata).toMatchObject({ labels: { theirs: 'yes' } });
      await cluster.admin.delete(theirs);

      const other = aShape();
      await deploy(aNode(other));
      const service = header('Service', other);
      await cluster.admin.delete(service);
      await cluster.admin.create({ ...service, spec: { ports: [{ port: 1 }] } });
      await eventually(
        () => expect(driver.ensureNode(aNode(other), aCall())).rejects.toThrow(/Service .* not of this/),
        patient,
      );
      expect(await read('Service', other)).toMatchObject({ spec: { ports: [{ port: 1 }] } });
    },
    limit,
  );

  test(
    'removes a node with all that is its own, and no other deployment',
    async () => {
      const [gone, stays] = [aShape(), aShape()];
      const nodes = [aNode(gone), aNode(stays)] as const;
      await Promise.all(nodes.map(deploy));
      await driver.removeNode(nodes[0].id, aCall());
      expect(await driver.observe(nodes[0], aCall())).toEqual({ presence: 'none' });
      const left = await cluster.namespaces();
      expect(left).not.toContain(`${cluster.owner}-d${gone.id}`);
      expect(left).toContain(`${cluster.owner}-d${stays.id}`);
      expect((await driver.list()).map(({ id }) => id)).not.toContain(nodes[0].id);
      await driver.removeNode(nodes[0].id, aCall());
    },
    limit,
  );

  test(
    'makes and removes several nodes of a deployment at once',
    async () => {
      const id = aShape().id;
      const nodes = [1, 2, 3].map((one) => ({ id: idOf<NodeId>(Number(id) + one), name: `node-${one}` }));
      const shape = aShape({ id, nodes });
      const all = nodes.map((one) => aNode(shape, { id: one.id }));
      await Promise.all(all.map((node) => eventually(() => driver.ensureNode(node, aCall()), patient)));
      await Promise.all(all.map(deploy));
      await Promise.all(all.map((node) => driver.removeNode(node.id, aCall())));
      await eventually(async () => {
        for (const node of all) expect(await driver.observe(node, aCall())).toEqual({ presence: 'none' });
      }, patient);
    },
    limit,
  );

  test(
    'does not make a volume anew that has held data, and says that it is gone',
    async () => {
      const shape = aShape();
      const node = aNode(shape);
      await deploy(node);
      await cluster.admin.delete(header('StatefulSet', shape));
      await cluster.admin.delete(header('PersistentVolumeClaim', shape));
      const held = { ...node, deployed: true, enrolled: true };
      await eventually(async () => {
        expect(await driver.observe(held, aCall())).toMatchObject({ presence: 'stopped', dataGone: true });
      }, patient);
      await expect(driver.ensureNode(held, aCall())).rejects.toThrow(`the data of node ${node.id} is gone`);
      expect(node.tokens).toHaveLength(1);
      // once a person has accepted that, it begins anew
      await deploy(node);
    },
    limit,
  );

  test(
    'gives a token that is void another one, and an agent whose key was taken away none until somebody lets it',
    async () => {
      const shape = aShape();
      const node = aNode(shape);
      await deploy(node);
      await driver.ensureNode({ ...node, hasToken: () => false }, aCall());
      expect(node.tokens).toHaveLength(2);
      const template = async () => JSON.stringify((await read('StatefulSet', shape))['spec']);
      const former = await template();
      const revoked = { ...node, revoked: true, hasToken: () => false };
      await driver.ensureNode(revoked, aCall());
      expect(node.tokens).toHaveLength(2);
      await cluster.admin.delete(header('Secret', shape));
      await driver.ensureNode(revoked, aCall());
      expect(node.tokens).toHaveLength(3);
      expect(await template()).not.toBe(former);
    },
    limit,
  );

  test(
    'keeps the key of what is sealed on the volume, and has the agent enrol anew where that is lost',
    async () => {
      const shape = aShape();
      const node = aNode(shape);
      const name = `node-${node.id}-sealing`;
      const key = async () => (await read('Secret', shape, name))['data'];
      await deploy(node);
      const former = await key();
      const enrolled = { ...node, enrolled: true };
      await driver.ensureNode(enrolled, aCall());
      expect(await key()).toEqual(former);
      expect(node.tokens).toHaveLength(1);
      await cluster.admin.delete(header('Secret', shape, name));
      await driver.ensureNode(enrolled, aCall());
      expect(await key()).not.toEqual(former);
      expect(node.tokens).toHaveLength(2);
    },
    limit,
  );

  test(
    'removes what another deployment has left under its id before it begins',
    async () => {
      const shape = aShape();
      await deploy(aNode(shape));
      const next = aNode({ ...shape, uid: randomUUID() });
      expect(await driver.observe(next, aCall())).toMatchObject({ presence: 'stopped' });
      const [former] = await versions(shape);
      await expect(driver.ensureNode(next, aCall())).rejects.toThrow(/being removed/);
      await eventually(() => driver.ensureNode(next, aCall()), patient);
      expect((await versions(shape))[0]).not.toBe(former);
    },
    limit,
  );

  test(
    'writes nothing by a call that is given up',
    async () => {
      const shape = aShape();
      const confirm = () => Promise.reject(new Error('somebody else is at work'));
      await expect(driver.ensureNode(aNode(shape), aCall({ confirm }))).rejects.toThrow('somebody else');
      expect(await driver.observe(aNode(shape), aCall())).toEqual({ presence: 'none' });
      await deploy(aNode(shape));
      await expect(driver.removeNode(shape.nodes[0]!.id, aCall({ confirm }))).rejects.toThrow(
        'somebody else',
      );
      expect(await cluster.namespaces()).toContain(`${cluster.owner}-d${shape.id}`);
      const ended = aCall({ signal: AbortSignal.abort(new Error('too late')) });
      await expect(driver.ensureNode(aNode(shape, { rules: [everybody] }), ended)).rejects.toThrow();
    },
    limit,
  );

  test(
    'finds what has changed while the API server was away',
    async () => {
      const proxy = await faultProxy(Number(cluster.server.port), 0, cluster.server.hostname);
      atEnd.push(() => proxy.close());
      const distant = start(await cluster.kubeconfigBy(`https://127.0.0.1:${proxy.port}`));
      const changed = new Set<NodeId>();
      distant.watch?.((nodes) => nodes.forEach((node) => changed.add(node)));
      const shape = aShape();
      const node = { ...aNode(shape), enrolled: true };
      await deploy(aNode(shape));
      await eventually(
        async () => expect(await distant.observe(node, aCall())).toMatchObject({ drifted: false }),
        patient,
      );
      proxy.disconnect();
      // what was told last holds
      expect(await distant.observe(node, aCall())).toMatchObject({ drifted: false });
      await expect(distant.ensureNode(node, aCall())).rejects.toThrow();
      await cluster.admin.delete(header('Service', shape));
      changed.clear();
      proxy.restore();
      await eventually(async () => {
        expect(changed).toContain(node.id);
        expect(await distant.observe(node, aCall())).toMatchObject({ drifted: true });
      }, patient);
    },
    limit,
  );

  test(
    'gives a private node an address of the cluster, where others have a port of their machine',
    async () => {
      const shape = aShape({ public_ip_enabled: false });
      const node = aNode(shape, { rules: [everybody] });
      await deploy(node);
      const { spec } = (await read('Service', shape)) as { spec?: { type?: string; clusterIP?: string } };
      expect(spec).toMatchObject({ type: 'ClusterIP' });
      const { address, placement } = await driver.observe(node, aCall());
      expect(address).toEqual({
        host: spec?.clusterIP,
        ports: { broker_tcp: 4222, broker_websocket: 8080 },
      });
      expect(placement).toMatchObject({ isPrivate: true });
    },
    limit,
  );

  /** What is seen of nodes once the cluster has decided on each. */
  const decided = (by: ComputeDriver, nodes: readonly NodeToEnsure[]) =>
    eventually(async () => {
      const seen = await Promise.all(nodes.map((node) => by.observe(node, aCall())));
      for (const { placement, reason } of seen)
        if (placement?.machine === undefined) expect(reason).toContain('the cluster has no machine for it');
      return seen;
    }, patient);

  test(
    'has nodes that span zones wait where there are too few, and says in which they are',
    async () => {
      const by = start(cluster.kubeconfig, { zones: 2 });
      const zones = new Set(
        (await cluster.machines()).flatMap(({ metadata }) => metadata.labels?.[zoneLabel] ?? []),
      );
      const [first, second] = [aShape(), aShape()];
      const shape = { ...first, availability_mode: 'multi_az' as const };
      const nodes = [first, second].map(({ nodes: [own] }) =>
        aNode({
          ...shape,
          nodes: [own!, ...[first, second].flatMap((one) => one.nodes).filter((one) => one !== own)],
        }),
      );
      for (const node of nodes) await by.ensureNode(node, aCall());
      const seen = await decided(by, nodes);
      const placed = seen.flatMap(({ placement }) => placement?.zone ?? []);
      expect(new Set(placed).size).toBe(placed.length);
      expect(placed).toHaveLength(Math.min(2, zones.size));
      for (const { placement, reason } of seen)
        if (placement?.machine === undefined) expect(reason).toContain('topology spread');
    },
    limit,
  );

  test(
    'leaves a machine of a dedicated deployment to its tenant',
    async () => {
      // a label that every machine has
      const dedicatedNodes = { key: 'kubernetes.io/os', value: 'linux' };
      const by = start(cluster.kubeconfig, { dedicatedNodes });
      const own = aNode(aShape({ dedicated: true }));
      await by.ensureNode(own, aCall());
      const [seen] = await decided(by, [own]);
      expect(seen?.placement).toMatchObject({ machine: expect.any(String) as string, isDedicated: true });
      const other = aNode(aShape({ public_ip_enabled: false, tenant_id: idOf<TenantId>(2) }));
      await by.ensureNode(other, aCall());
      const [elsewhere] = await decided(by, [other]);
      expect(elsewhere?.placement?.machine).not.toBe(seen?.placement?.machine);
    },
    limit,
  );

  test(
    'has no rights beyond its own namespaces',
    async () => {
      const stranger = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `${cluster.owner}x-d1` } };
      const { supervisor } = cluster;
      const refused = { status: expect.any(Number) as number };
      await eventually(() => expect(supervisor.create(stranger)).rejects.toMatchObject(refused), patient);
      const own = { ...stranger, metadata: { name: cluster.owner } };
      await expect(supervisor.delete(own)).rejects.toMatchObject(refused);
      const secret = {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'any', namespace: cluster.owner },
      };
      await expect(supervisor.read(secret)).rejects.toMatchObject({ status: 403 });
      const all = { ...secret, metadata: { name: '' } };
      await expect(supervisor.read(all)).rejects.toMatchObject({ status: 403 });
    },
    limit,
  );
});

import { randomUUID } from 'node:crypto';
import type { V1ServiceSpec } from '@kubernetes/client-node';
import { idOf, type NodeId } from '@sluice/contracts';
import { createLog } from '@sluice/system/log';
import { aDeployment, eventually } from '@sluice/testing';
import { aCall, aNode } from '#test/cluster-nodes.ts';
import { anInstallation, objectsOf } from '#test/cluster-objects.ts';
import { MemoryApi } from '#test/memory-api.ts';
import { isLeftOver } from './clients-service.ts';
import type { Installation } from './installation.ts';
import { createKubernetesDriver } from './kubernetes-driver.ts';

const shared: Partial<Installation> = {
  serviceType: 'LoadBalancer',
  serviceTemplate: {
    annotations: { hostname: 'd{deployment}.example' },
    loadBalancerClass: 'example.com/public',
    perDeployment: true,
  },
};
const single: Partial<Installation> = { serviceType: 'LoadBalancer' };
const specOf = (object: { spec?: object } | undefined): V1ServiceSpec | undefined => object?.spec;

test('a cluster has one load balancer, which leads to its ready nodes and keeps the addresses of clients', () => {
  const objects = objectsOf({ nodes: 3, isCluster: true, installation: shared });
  const clients = objects['Service clients']!;
  expect(specOf(clients)).toMatchObject({
    ...{ type: 'LoadBalancer', externalTrafficPolicy: 'Local', loadBalancerClass: 'example.com/public' },
    selector: { 'sluice.example/deployment': clients.metadata.labels!['sluice.example/deployment'] },
    ports: [{ port: 4222 }, { port: 8080 }, { port: 8222 }],
  });
  expect(specOf(clients)).not.toHaveProperty('publishNotReadyAddresses');
  expect(clients.metadata.annotations).toMatchObject({
    hostname: expect.stringMatching(/^d\d+\.example$/) as string,
  });
  const own = objects['Service node-100']!;
  expect(specOf(own)?.type).toBe('ClusterIP');
  expect(specOf(own)).not.toHaveProperty('loadBalancerClass');
  expect(specOf(own)).not.toHaveProperty('externalTrafficPolicy');
  expect(own.metadata.annotations).not.toHaveProperty('hostname');
});

test('a node alone has its own, and a private cluster what privateServices say', () => {
  expect(specOf(objectsOf({ installation: shared })['Service node-100'])?.type).toBe('LoadBalancer');
  expect(objectsOf({ installation: shared })).not.toHaveProperty(['Service clients']);
  const inside = objectsOf({ nodes: 3, isCluster: true, options: ['private_address'], installation: shared });
  expect(inside).not.toHaveProperty(['Service clients']);
});

test('the shared load balancer stays until the Services of all nodes are seen as changed, with an address', () => {
  const service = (type: string, ip?: string) => ({
    metadata: { name: 'node' },
    spec: { type, ports: [] },
    status: { loadBalancer: { ingress: ip === undefined ? [] : [{ ip }] } },
  });
  const deployment = { options: [], isCluster: true, clients: service('LoadBalancer', '203.0.113.9') };
  const isLeft = (serviceType: 'LoadBalancer' | 'NodePort', ...services: ReturnType<typeof service>[]) =>
    isLeftOver(anInstallation({ serviceType }), deployment, services);
  const ready = service('LoadBalancer', '203.0.113.1');
  // applied, and not seen by the watch yet
  expect(isLeft('LoadBalancer', service('ClusterIP'), service('ClusterIP'))).toBe(false);
  expect(isLeft('LoadBalancer', ready, service('ClusterIP'))).toBe(false);
  expect(isLeft('LoadBalancer', ready, service('LoadBalancer'))).toBe(false);
  expect(isLeft('LoadBalancer', ready, ready)).toBe(true);
  expect(isLeft('NodePort', service('ClusterIP'), service('NodePort'))).toBe(false);
  expect(isLeft('NodePort', service('NodePort'), service('NodePort'))).toBe(true);
});

describe('the driver', () => {
  const stopping = new AbortController();
  afterAll(() => stopping.abort());
  const shape = aDeployment({
    ...{ uid: randomUUID(), cluster: 'cluster' },
    nodes: [100, 101, 102].map((id) => ({ id: idOf<NodeId>(id), name: `node-${id - 99}` })),
  });
  const nodes = shape.nodes.map(({ id }) => aNode(shape, { id }));
  const start = (api: MemoryApi, more: Partial<Installation>) =>
    createKubernetesDriver({
      api,
      installation: anInstallation(more),
      stopping: stopping.signal,
      now: () => new Date(),
      log: createLog({ service: 'supervisor', level: 'error' }),
    });
  const addressed = (ip: string) => ({ loadBalancer: { ingress: [{ ip }] } });

  /** Does what the reconciler does until nothing is to be done. @returns where clients reach the nodes */
  async function settled(driver: ReturnType<typeof start>): Promise<(string | undefined)[]> {
    return await eventually(async () => {
      for (const node of nodes) await driver.ensureNode(node, aCall());
      const seen = await Promise.all(
        nodes.map((node) => driver.observe({ ...node, enrolled: true }, aCall())),
      );
      expect(seen.map(({ drifted }) => drifted)).toEqual([false, false, false]);
      return seen.map(({ address }) => address?.host);
    });
  }
  const types = (api: MemoryApi) =>
    ['clients', 'node-100', 'node-101', 'node-102'].map((name) => specOf(api.get('Service', name))?.type);

  test('reaches all nodes of a cluster at one address', async () => {
    const api = new MemoryApi();
    const driver = start(api, shared);
    expect(await settled(driver)).toEqual([undefined, undefined, undefined]);
    expect(types(api)).toEqual(['LoadBalancer', 'ClusterIP', 'ClusterIP', 'ClusterIP']);
    api.setStatus('Service', 'clients', addressed('203.0.113.9'));
    expect(await settled(driver)).toEqual(Array(3).fill('203.0.113.9'));
  });

  test('changes a cluster to the new setting, and back, without a time in which it has no address', async () => {
    const api = new MemoryApi();
    const former = start(api, single);
    await settled(former);
    const own = nodes.map(({ id }) => `203.0.113.${Number(id) - 90}`);
    nodes.forEach(({ id }, at) => api.setStatus('Service', `node-${id}`, addressed(own[at]!)));
    expect(await settled(former)).toEqual(own);

    const next = start(api, shared);
    expect(await settled(next)).toEqual(own);
    expect(types(api)).toEqual(Array(4).fill('LoadBalancer'));
    api.setStatus('Service', 'clients', addressed('203.0.113.99'));
    expect(await settled(next)).toEqual(Array(3).fill('203.0.113.99'));
    expect(types(api)).toEqual(['LoadBalancer', 'ClusterIP', 'ClusterIP', 'ClusterIP']);

    nodes.forEach(({ id }) => api.setStatus('Service', `node-${id}`, { loadBalancer: {} }));
    expect(await settled(former)).toEqual(Array(3).fill('203.0.113.99'));
    expect(types(api)).toEqual(Array(4).fill('LoadBalancer'));
    nodes.forEach(({ id }, at) => api.setStatus('Service', `node-${id}`, addressed(own[at]!)));
    expect(await settled(former)).toEqual(own);
    expect(types(api)).toEqual([undefined, 'LoadBalancer', 'LoadBalancer', 'LoadBalancer']);
  });
});

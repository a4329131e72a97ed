import { createServer, type Server } from 'node:http';
import { KubeConfig } from '@kubernetes/client-node';
import { createLog } from '@sluice/system/log';
import { eventually } from '@sluice/testing';
import { describeInCluster, testCluster, type TestCluster } from '#test/cluster.ts';
import { underPolicy } from './admission.ts';
import { connectTo, readKubeconfig } from './connection.ts';
import { createKubernetesApi, type KubernetesApi } from './kubernetes-api.ts';

const log = createLog({ service: 'supervisor', level: 'silent' });
const denial =
  "ValidatingAdmissionPolicy 'sluice-supervisors' denied request: a supervisor works in the namespaces of its own deployments alone";
const label = { kind: 'Namespace' as const, apiVersion: 'v1', metadata: { name: 'own-d1', labels: {} } };

describe('an API server that answers as it is told', () => {
  let server: Server;
  let api: KubernetesApi;
  let answer = { status: 201, message: '' };
  const asked: string[] = [];
  const stopping = new AbortController();

  beforeEach(async () => {
    server = createServer((request, response) => {
      const isProbe = request.url?.startsWith('/api/v1/namespaces?dryRun=All') ?? false;
      asked.push(isProbe ? 'probe' : (request.method ?? ''));
      const { status, message } = isProbe ? answer : { status: 200, message: '' };
      request.resume().on('end', () => response.writeHead(status).end(JSON.stringify({ message })));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const config = new KubeConfig();
    config.loadFromClusterAndUser(
      { name: 'test', server: `http://127.0.0.1:${port}`, skipTLSVerify: true },
      { name: 'supervisor' },
    );
    api = createKubernetesApi(underPolicy(connectTo(config, stopping.signal), 'own', log));
    asked.length = 0;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  afterAll(() => stopping.abort());

  test('is changed while it refuses what is not the own, and is asked once for many changes', async () => {
    answer = { status: 422, message: denial };
    await Promise.all([api.apply(label), api.create(label)]);
    await api.mark(label, { labels: { any: null } });
    expect(asked.toSorted()).toEqual(['PATCH', 'PATCH', 'POST', 'probe']);
  });

  test.each([
    ['makes what is not the own', { status: 201, message: '' }],
    ['has it already', { status: 409, message: 'is there already' }],
  ])('is not changed where it %s', async (_, given) => {
    answer = given;
    await expect(api.apply(label)).rejects.toThrow('does not enforce the admission policy');
    await expect(api.create(label)).rejects.toThrow('nothing is changed in it');
    expect(asked).toEqual(['probe']);
  });

  test.each([
    [500, 'is away'],
    [422, 'is refused by another policy'],
  ])('is not changed, and asked again, where its answer says nothing: %s, %s', async (status, message) => {
    answer = { status, message };
    await expect(api.apply(label)).rejects.toThrow(message);
    answer = { status: 422, message: denial };
    await api.apply(label);
    expect(asked).toEqual(['probe', 'probe', 'PATCH']);
  });

  test('is read all the same', async () => {
    answer = { status: 201, message: '' };
    await api.read({ kind: 'Namespace', name: 'own-d1' });
    expect(asked).toEqual(['GET']);
  });
});

describeInCluster('a supervisor, where the policy goes', () => {
  let cluster: TestCluster;
  const stopping = new AbortController();
  beforeAll(async () => {
    cluster = await testCluster();
  }, 90_000);
  afterAll(async () => {
    stopping.abort();
    await cluster.close();
  }, 90_000);

  test('changes nothing any more', async () => {
    const { owner, admin, kubeconfig } = cluster;
    const start = () =>
      createKubernetesApi(underPolicy(connectTo(readKubeconfig(kubeconfig), stopping.signal), owner, log));
    const labels = { 'sluice.example/owner': owner, 'pod-security.kubernetes.io/enforce': 'restricted' };
    const space = (number: number) => ({ ...label, metadata: { name: `${owner}-d${number}`, labels } });
    await start().create(space(1));
    const binding = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: `sluice-supervisors-${owner}` },
    };
    const { spec } = await admin.read(binding);
    await admin.delete(binding);
    await eventually(
      () => expect(start().create(space(2))).rejects.toThrow('does not enforce the admission policy'),
      { timeoutMs: 60_000, everyMs: 500 },
    );
    expect(await cluster.namespaces()).toContain(`${owner}-d1`);
    await admin.create({ ...binding, ...(spec && { spec }) });
  }, 90_000);
});

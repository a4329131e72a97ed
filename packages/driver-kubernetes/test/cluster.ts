import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KubeConfig, loadAllYaml } from '@kubernetes/client-node';
import { eventually, repository, testFolder } from '@sluice/testing';
import { z } from 'zod';
import { collectionPath, kinds, type ApiObject, type Kind } from '../src/compute/api-object.ts';
import { connectTo, isMissing, type Connection } from '../src/compute/connection.ts';

/** A cluster that tests may work in; never one that a kubectl happens to point at. */
const given = process.env['TEST_KUBECONFIG'];
if (given === undefined)
  process.stderr.write('Tests against a Kubernetes API server are skipped: TEST_KUBECONFIG names none.\n');

/** The tests in it are run where there is a cluster. */
export const describeInCluster = (name: string, tests: () => void) =>
  // at each call: every file of tests has its own
  (given === undefined ? describe.skip : describe)(name, tests);

type Admin = ReturnType<typeof adminOf>;

/** An image of nodes that the cluster has or can pull, and the address of this machine as its pods reach it. */
const image = process.env['TEST_NODE_IMAGE'];
const host = process.env['TEST_CLUSTER_HOST'];

/** The tests in it are run where nodes can be brought up in the cluster, too. */
export const describeWithNodes = (name: string, tests: () => void) =>
  image === undefined || host === undefined ? describe.skip(name, tests) : describeInCluster(name, tests);

/** The StorageClass of volumes that the cluster makes snapshots of, by its default VolumeSnapshotClass. */
export const copiedClass = process.env['TEST_STORAGE_CLASS'];

/** The tests in it are run where volumes can be copied. */
export const describeWithCopies = (name: string, tests: () => void) =>
  copiedClass === undefined ? describe.skip(name, tests) : describeInCluster(name, tests);

export const addressOf = (url: string) => Object.assign(new URL(url), { hostname: host }).origin;

export const clusterSettings = ({ owner, role, kubeconfig }: TestCluster): Record<string, string> => ({
  ...{
    COMPUTE_DRIVER: 'kubernetes',
    KUBERNETES_OWNER: owner,
    KUBERNETES_NODE_ROLE: role,
    KUBECONFIG: kubeconfig,
  },
  ...{ KUBERNETES_SERVICE_TYPE: 'NodePort', AGENT_API_PLAIN_TEXT: 'true' },
  ...{ NODE_IMAGE: image ?? '', HOST: host ?? '' },
  ...(copiedClass !== undefined && { KUBERNETES_STORAGE_CLASSES: `network_balanced=${copiedClass}` }),
});

export interface TestCluster {
  /** whose the objects of this test are, and the namespace that its supervisor is said to run in */
  owner: string;
  role: string;
  /** of a supervisor's service account, with the rights that k8s/ gives it and no others */
  kubeconfig: string;
  admin: Admin;
  supervisor: Admin;
  /** The same account by way of another address, such as that of a proxy. */
  kubeconfigBy(address: string): Promise<string>;
  server: URL;
  namespaces(): Promise<string[]>;
  objects(kind: Kind, namespace: string): Promise<ApiObject[]>;
  /** Those that pods run on. */
  machines(): Promise<ApiObject[]>;
  close(): Promise<void>;
}

export async function testCluster(): Promise<TestCluster> {
  const config = new KubeConfig();
  config.loadFromFile(given ?? '');
  const ended = new AbortController();
  const connection = connectTo(config, ended.signal);
  const admin = adminOf(connection);
  const owner = `sluice-test-${randomBytes(4).toString('hex')}`;
  const role = `sluice-nodes-${owner}`;
  const place = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: owner } };
  const account = {
    ...{ apiVersion: 'v1', kind: 'ServiceAccount' },
    metadata: { name: 'supervisor', namespace: owner },
  };
  const policy = {
    ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicy' },
    metadata: { name: 'sluice-supervisors' },
  };
  // it holds for all accounts with the name supervisor, and refuses them the roles of tests
  if (await isThere(admin, policy))
    throw new Error('Sluice is installed in this cluster: its admission policy refuses what these tests do.');
  const made: ApiObject[] = [place, account, ...(await rightsOf(owner, role))];
  for (const object of made) await admin.create(object);
  const { status } = (await connection.send({
    ...{ method: 'POST', path: `${pathOf(account)}/token`, what: 'a token' },
    body: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 3_600 },
    },
  })) as { status: { token: string } };
  const cluster = config.getCurrentCluster();
  if (!cluster) throw new Error('the kubeconfig of the tests names no cluster');
  const server = new URL(cluster.server);
  const folder = await testFolder();

  async function kubeconfigBy(address: string): Promise<string> {
    const user = { name: 'supervisor', user: { token: status.token } };
    const file = join(folder, `${randomBytes(4).toString('hex')}.json`);
    const content = {
      ...{ apiVersion: 'v1', kind: 'Config', users: [user], 'current-context': 'test' },
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'supervisor' } }],
      clusters: [
        {
          name: 'test',
          cluster: {
            server: address,
            'certificate-authority-data': await authorityOf(config),
            ...(new URL(address).host !== server.host && { 'tls-server-name': 'kubernetes.default.svc' }),
          },
        },
      ],
    };
    await writeFile(file, JSON.stringify(content), { mode: 0o600 });
    return file;
  }

  const namespaces = async () => {
    const query = { labelSelector: `sluice.example/owner=${owner}` };
    const path = '/api/v1/namespaces';
    const answer = await connection.send({ method: 'GET', path, query, what: 'namespaces' });
    return (answer as { items: ApiObject[] }).items.map(({ metadata }) => metadata.name);
  };
  async function objects(kind: Kind, namespace: string): Promise<ApiObject[]> {
    const path = collectionPath(kind, namespace);
    return ((await connection.send({ method: 'GET', path, what: kind })) as { items: ApiObject[] }).items;
  }
  async function machines(): Promise<ApiObject[]> {
    const answer = await connection.send({ method: 'GET', path: collectionPath('Node'), what: 'machines' });
    return (answer as { items: ApiObject[] }).items;
  }
  const kubeconfig = await kubeconfigBy(cluster.server);
  const own = new KubeConfig();
  own.loadFromFile(kubeconfig);
  const supervisor = adminOf(connectTo(own, ended.signal));
  // rights and policies are in force a moment after they were made
  const foreign = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `${owner}x-d1` } };
  await eventually(
    async () => {
      const made = supervisor.create(foreign).then(() => admin.delete(foreign));
      const status = await made.then(() => 201).catch((error: { status?: number }) => error.status);
      if (status !== 422) throw new Error(`the admission policy is not in force: ${status}`);
    },
    { timeoutMs: 60_000, everyMs: 200 },
  );

  return {
    ...{ owner, role, admin, kubeconfig, kubeconfigBy, server, namespaces, objects, machines },
    supervisor,
    async close() {
      const left = await namespaces();
      const spaces = left.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
      for (const object of [...spaces, ...made]) await admin.delete(object);
      ended.abort();
    },
  };
}

type Header = Pick<ApiObject, 'apiVersion' | 'kind' | 'metadata'>;

/** What is made for a supervisor, and not by it. */
const otherPlurals: Record<string, string> = {
  ServiceAccount: 'serviceaccounts',
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
  ValidatingAdmissionPolicyBinding: 'validatingadmissionpolicybindings',
};
const pluralOf = new Map(Object.entries(kinds).map(([kind, { plural }]) => [kind, plural]));

function collectionOf({ apiVersion = 'v1', kind = '', metadata: { namespace } }: Header): string {
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const place = namespace === undefined ? '' : `/namespaces/${namespace}`;
  return `${group}${place}/${pluralOf.get(kind) ?? otherPlurals[kind] ?? kind}`;
}
const pathOf = (object: Header) => `${collectionOf(object)}/${object.metadata.name}`;

const isThere = (admin: Admin, object: Header): Promise<boolean> =>
  admin.read(object).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );

function adminOf({ send }: Connection) {
  const what = 'what a test asks for';
  return {
    create: (object: ApiObject) =>
      send({ method: 'POST', path: collectionOf(object), body: object, what }) as Promise<ApiObject>,
    read: (object: Header) => send({ method: 'GET', path: pathOf(object), what }) as Promise<ApiObject>,
    patch: (object: ApiObject) =>
      send({
        ...{ method: 'PATCH', path: pathOf(object), body: object, what },
        type: 'application/strategic-merge-patch+json',
      }) as Promise<ApiObject>,
    delete: (object: Header, options: object = {}) =>
      send({ method: 'DELETE', path: pathOf(object), body: options, what }),
  };
}

async function authorityOf(config: KubeConfig): Promise<string> {
  const { caData, caFile } = config.getCurrentCluster() ?? {};
  return caData ?? (await readFile(caFile ?? '')).toString('base64');
}

/** What an installation gives its supervisors, under names of this test's own. */
async function rightsOf(owner: string, role: string): Promise<ApiObject[]> {
  const files = ['base/supervisor/rbac', 'overlays/cluster/nodes-role', 'overlays/cluster/admission-policy'];
  const texts = files.map((file) => readFile(join(repository, `k8s/${file}.yaml`), 'utf8'));
  const text = (await Promise.all(texts)).join('\n---\n');
  return z.array(z.custom<ApiObject>()).parse(
    loadAllYaml(
      text
        .replaceAll('sluice-supervisor:region', `sluice-supervisor:${owner}`)
        .replaceAll('sluice-supervisors', `sluice-supervisors-${owner}`)
        .replaceAll('sluice-nodes', role)
        // other tests at the same cluster have a role of their own
        .replace('[^:]+:supervisor', `${owner}:supervisor`)
        // as kustomize does
        .replaceAll(
          'ServiceAccount, name: supervisor }',
          `ServiceAccount, name: supervisor, namespace: ${owner} }`,
        ),
    ),
  );
}

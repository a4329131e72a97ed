import { eventually } from '@sluice/testing';
import { describeInCluster, testCluster, type TestCluster } from '#test/cluster.ts';

/** milliseconds */
const limit = 90_000;
const patient = { timeoutMs: 60_000, everyMs: 200 };
/** null for one that is not there, or is to be removed */
type Labels = Record<string, string | null>;
const enforce = 'pod-security.kubernetes.io/enforce';
const version = `${enforce}-version`;
/** by the admission policy, and by RBAC */
const [byPolicy, byRole] = [{ status: 422 }, { status: 403 }];

describeInCluster('a supervisor, by the rights that its service account has', () => {
  let cluster: TestCluster;
  let count = 0;

  const object = (apiVersion: string, kind: string, name: string, namespace?: string) => ({
    apiVersion,
    kind,
    metadata: { name, ...(namespace !== undefined && { namespace }) },
  });
  const namespace = (labels: Labels, name = `${cluster.owner}-d${++count}`) => {
    const own = { 'sluice.example/owner': cluster.owner, [enforce]: 'restricted', ...labels };
    const given = Object.entries(own).filter(([, value]) => value !== null);
    return { ...object('v1', 'Namespace', name), metadata: { name, labels: Object.fromEntries(given) } };
  };
  const changed = (name: string, labels: Labels) => ({
    ...object('v1', 'Namespace', name),
    metadata: { name, labels: labels as Record<string, string> },
  });
  const binding = (space: string, role: string, subject: string) => ({
    ...object('rbac.authorization.k8s.io/v1', 'RoleBinding', 'supervisor', space),
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name: subject, namespace: cluster.owner }],
  });
  const service = (space: string, spec: object) => ({
    ...object('v1', 'Service', `s${++count}`, space),
    spec: { ports: [{ port: 80 }], ...spec },
  });
  /** A namespace of its own, in which it has given itself the role of nodes. */
  async function ownSpace(): Promise<string> {
    const made = namespace({});
    await cluster.supervisor.create(made);
    await cluster.supervisor.create(binding(made.metadata.name, cluster.role, 'supervisor'));
    // rights are in force a moment later
    await eventually(() => cluster.supervisor.patch(changed(made.metadata.name, {})), patient);
    return made.metadata.name;
  }

  beforeAll(async () => {
    cluster = await testCluster();
  }, limit);
  afterAll(() => cluster.close(), limit);

  test(
    'makes no namespace whose pods may be more than restricted',
    async () => {
      const { supervisor } = cluster;
      const refused: Labels[] = [
        { [enforce]: 'privileged' },
        { [enforce]: 'baseline' },
        { [enforce]: null },
        { [version]: 'v1.0' },
      ];
      for (const labels of refused)
        await expect(supervisor.create(namespace(labels))).rejects.toMatchObject(byPolicy);
      await supervisor.create(namespace({ [version]: 'latest' }));
    },
    limit,
  );

  test(
    'weakens none afterwards',
    async () => {
      const name = await ownSpace();
      const refused: Labels[] = [{ [enforce]: 'privileged' }, { [enforce]: null }, { [version]: 'v1.0' }];
      for (const labels of refused)
        await expect(cluster.supervisor.patch(changed(name, labels))).rejects.toMatchObject(byPolicy);
      await cluster.supervisor.patch(changed(name, { 'node.sluice.example/7': '' }));
    },
    limit,
  );

  test(
    'gives none a label that network policies or others go by, and leaves the labels of others',
    async () => {
      const { supervisor, admin } = cluster;
      const refused: Labels[] = [
        { 'sluice.example/role': 'ingress' },
        { 'app.kubernetes.io/part-of': 'sluice' },
        { 'sluice.example/owner': `${cluster.owner}x` },
        { 'sluice.example/owner': null },
        { theirs: 'yes' },
        { theirs: '' },
      ];
      for (const labels of refused)
        await expect(supervisor.create(namespace(labels))).rejects.toMatchObject(byPolicy);
      const name = await ownSpace();
      await admin.patch(changed(name, { theirs: 'yes' }));
      await supervisor.patch(changed(name, { 'node.sluice.example/7': '' }));
      await expect(supervisor.patch(changed(name, { theirs: 'no' }))).rejects.toMatchObject(byPolicy);
    },
    limit,
  );

  test(
    'binds the role of nodes alone, to itself alone, in its own namespaces alone',
    async () => {
      const { supervisor, owner, role } = cluster;
      const { metadata } = namespace({});
      await supervisor.create(namespace({}, metadata.name));
      for (const refused of [
        binding(metadata.name, `sluice-supervisor:${owner}`, 'supervisor'),
        binding(metadata.name, role, 'default'),
        binding(owner, role, 'supervisor'),
      ])
        await expect(supervisor.create(refused)).rejects.toMatchObject(byPolicy);
      const toCluster = binding(metadata.name, 'cluster-admin', 'supervisor');
      await expect(supervisor.create(toCluster)).rejects.toMatchObject(byRole);
      await supervisor.create(binding(metadata.name, role, 'supervisor'));
    },
    limit,
  );

  test(
    'takes no address of others by a Service',
    async () => {
      const space = await ownSpace();
      const { supervisor } = cluster;
      await eventually(() => supervisor.create(service(space, { type: 'ClusterIP' })), patient);
      for (const spec of [
        { externalIPs: ['192.0.2.1'] },
        { type: 'ExternalName', externalName: 'postgresql.sluice-data.svc' },
      ])
        await expect(supervisor.create(service(space, spec))).rejects.toMatchObject(byPolicy);
    },
    limit,
  );

  test(
    'has no pod that is privileged or sees the machine, by any of its namespaces',
    async () => {
      const space = await ownSpace();
      const pod = {
        hostNetwork: true,
        volumes: [{ name: 'machine', hostPath: { path: '/' } }],
        containers: [{ name: 'any', image: 'nowhere.invalid/none:1', securityContext: { privileged: true } }],
      };
      const made = { ...object('v1', 'Pod', 'any', space), spec: pod };
      // neither by itself nor, as what a StatefulSet makes shows, by a controller
      await expect(cluster.supervisor.create(made)).rejects.toMatchObject(byRole);
      await expect(cluster.admin.create(made)).rejects.toMatchObject(byRole);
    },
    limit,
  );

  test(
    'changes and removes namespaces by the role of nodes alone, so none of others, whatever the policy says',
    async () => {
      const { supervisor, admin } = cluster;
      const foreign = `${cluster.owner}-foreign`;
      await admin.create({ ...object('v1', 'Namespace', foreign) });
      try {
        await expect(supervisor.patch(changed(foreign, { any: 'yes' }))).rejects.toMatchObject(byRole);
        await expect(supervisor.delete(object('v1', 'Namespace', foreign))).rejects.toMatchObject(byRole);
      } finally {
        await admin.delete(object('v1', 'Namespace', foreign));
      }
      const { metadata } = namespace({});
      await supervisor.create(namespace({}, metadata.name));
      const own = object('v1', 'Namespace', metadata.name);
      await expect(supervisor.delete(own)).rejects.toMatchObject(byRole);
      await supervisor.create(binding(metadata.name, cluster.role, 'supervisor'));
      await eventually(() => supervisor.delete(own), patient);
    },
    limit,
  );

  test(
    'makes nothing outside of its namespaces, and nothing that it does not need',
    async () => {
      const { supervisor, owner } = cluster;
      const space = await ownSpace();
      for (const [apiVersion, plural, where] of [
        ['v1', 'persistentvolumes', undefined],
        ['v1', 'serviceaccounts', space],
        ['v1', 'secrets', owner],
        ['networking.k8s.io/v1', 'networkpolicies', owner],
        ['rbac.authorization.k8s.io/v1', 'clusterroles', undefined],
        ['rbac.authorization.k8s.io/v1', 'clusterrolebindings', undefined],
        ['rbac.authorization.k8s.io/v1', 'roles', space],
        ['admissionregistration.k8s.io/v1', 'validatingwebhookconfigurations', undefined],
        ['admissionregistration.k8s.io/v1', 'mutatingwebhookconfigurations', undefined],
      ] as const)
        await expect(supervisor.create(object(apiVersion, plural, 'any', where))).rejects.toMatchObject(
          byRole,
        );
      for (const part of ['exec', 'attach', 'portforward', 'ephemeralcontainers']) {
        const asked = supervisor.read(object('v1', 'pods', `any/${part}`, space));
        await expect(asked).rejects.toMatchObject(byRole);
      }
      const token = supervisor.create(object('v1', 'serviceaccounts/default/token', '', space));
      await expect(token).rejects.toMatchObject(byRole);
    },
    limit,
  );
});

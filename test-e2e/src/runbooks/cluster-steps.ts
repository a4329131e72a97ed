import { eventually } from '@sluice/testing';
import type { Cluster } from './cluster.ts';
import { billingSteps, dataSteps, maintenanceSteps } from './operator-steps.ts';
import { says, stackSteps, type Step } from './steps.ts';

const healthy = (cluster: Cluster) => cluster.healthy();
const patience = { timeoutMs: 300_000, everyMs: 5_000 };
const restoredLog = 'the database was restored, or another server has taken it over';

/** What the alerts' commands need on a cluster besides. */
const alertSteps: readonly Step[] = [
  { block: 'alerts: Where to look (3)', promised: says(/^main-api-\S+ +1\/1 +Running/m, /^200 \{/m) },
  { block: 'alerts: SluiceDown', promised: says(/^Name: +main-api-/m) },
  {
    block: 'alerts: SluiceLeaseOld',
    values: { namespace: 'sluice-cloud-a-us-east-1', service: 'supervisor' },
    promised: says(/successfully rolled out/),
  },
];

const nodeOf = {
  region: 'sluice-cloud-a-us-east-1',
  deployment: ({ deployment }: Cluster) => deployment,
  node: (cluster: Cluster) => cluster.node(),
};

const dumped = [
  'audit',
  'main-api',
  'notifier',
  'supervisor-cloud-a-us-east-1',
  'supervisor-cloud-b-us-central1',
].map((service) => new RegExp(`^${service}/\\S+\\.dump\\.age: [1-9]\\d{4,} bytes$`, 'm'));

const verified = /\.dump\.age: whole, the key opens it$/m;
const aRegion = {
  namespace: 'sluice-cloud-a-us-east-1',
  service: 'supervisor',
  database: 'supervisor_cloud_a_us_east_1',
};

/** All pods of the services have the version. */
async function upgraded(cluster: Cluster): Promise<void> {
  const services = [
    ...['main-api', 'audit', 'notifier', 'console'].map((name) => ['sluice', name] as const),
    ...['sluice-cloud-a-us-east-1', 'sluice-cloud-b-us-central1'].map(
      (space) => [space, 'supervisor'] as const,
    ),
  ];
  await eventually(async () => {
    for (const [namespace, name] of services)
      for (const image of await cluster.images(namespace, name))
        if (image !== `sluice/${name}:${cluster.version}`) throw new Error(`${namespace}: ${image}`);
  }, patience);
}

/** As a release that does not come up leaves it. */
async function breakAudit(cluster: Cluster): Promise<void> {
  await cluster.kubectl('-n', 'sluice', 'set', 'image', 'deployment/audit', 'audit=sluice/audit:missing');
  await eventually(async () => {
    const pods = await cluster.kubectl('-n', 'sluice', 'get', 'pods', '-l', 'app.kubernetes.io/name=audit');
    if (!/ErrImagePull|ImagePullBackOff|ErrImageNeverPull/.test(pods)) throw new Error(pods);
    if ((pods.match(/1\/1 +Running/g) ?? []).length < 2) throw new Error(`the former pods:\n${pods}`);
  }, patience);
  await cluster.healthy();
}

async function noSupervisor(cluster: Cluster): Promise<void> {
  await eventually(async () => {
    const pods = await cluster.kubectl('-n', 'sluice-cloud-b-us-central1', 'get', 'pods', '-o', 'name');
    if (pods !== '') throw new Error(pods);
  }, patience);
}

/** The kubelet brings a changed Secret to the admin pod within about a minute. */
const untilAdminConnects = (cluster: Cluster) =>
  eventually(
    () =>
      cluster.kubectl(
        '-n',
        'sluice',
        'exec',
        'deployment/admin',
        '--',
        'sluice-admin',
        'dead-letters',
        'list',
      ),
    patience,
  ).then(() => undefined);

let sealedBefore = '';

/** Every block of the runbooks, in an order in which they can be run on one installation. */
export const clusterSteps: readonly Step<Cluster>[] = [
  { block: 'kubernetes: Your overlay' },
  { block: 'kubernetes: Install' },
  {
    block: 'kubernetes: Install (2)',
    promised: says(/"main-api" successfully rolled out/, /"supervisor" successfully rolled out/),
  },
  { block: 'kubernetes: Install (3)', promised: (cluster, output) => cluster.enter(output) },
  { block: 'kubernetes: The admin pod', promised: says(/^There are none\.\nThere are none\.$/m) },
  ...stackSteps,
  ...alertSteps,
  { block: 'nats-lost: NATS lost', promised: healthy },
  { block: 'nats-lost: NATS lost (2)', promised: healthy },
  { block: 'nats-lost: NATS lost (3)', promised: says(/(^200 [^]*){3}/m) },
  { block: 'backup-and-restore: Back up' },
  {
    block: 'backup-and-restore: Back up (2)',
    before: (cluster) => cluster.prepareRestore(),
    promised: says(...dumped),
  },
  { block: 'alerts: SluiceDumpsOld', promised: says(...dumped) },
  {
    block: 'backup-and-restore: Restore one service (2)',
    before: (cluster) => cluster.changeAfterBackup(),
    promised: says(verified),
  },
  {
    block: 'backup-and-restore: Restore one service (3)',
    promised: async (cluster) => {
      await cluster.restored();
      if ((await cluster.said('sluice', 'main-api', restoredLog)) < 1)
        throw new Error('the log does not say so');
      await cluster.healthy();
    },
  },
  { block: 'backup-and-restore: Restore one service (2)', values: aRegion, promised: says(verified) },
  { block: 'backup-and-restore: Restore one service (3)', values: aRegion, promised: healthy },
  { block: 'backup-and-restore: What the copy lacks', promised: says(/unknown_since[^]*\(\d+ rows?\)/) },
  { block: 'rotate-keys: What is stored (2)', goesOn: true, promised: healthy },
  { block: 'rotate-keys: What is stored (3)', promised: says(/^[0-9a-f]{8}\n\S+$/m) },
  { block: 'rotate-keys: What is stored (4)', goesOn: true, promised: healthy },
  { block: 'rotate-keys: What is stored (5)', goesOn: true, promised: healthy },
  { block: 'rotate-keys: What is stored (6)', goesOn: true, promised: healthy },
  {
    block: 'rotate-keys: What is stored (7)',
    goesOn: true,
    promised: says(
      /^channels\.sealed_secrets: \d+ encrypted anew\.$/m,
      /^sinks\.sealed_settings: \d+ encrypted anew\.$/m,
      /^deployments\.sealed_password: [1-9]\d* encrypted anew\.$/m,
    ),
  },
  { block: 'rotate-keys: What is stored (8)', goesOn: true, promised: healthy },
  { block: 'rotate-keys: Codes', goesOn: true, promised: healthy },
  { block: 'rotate-keys: The password of a database', goesOn: true, promised: healthy },
  { block: 'rotate-keys: What a service signs with', goesOn: true, promised: healthy },
  { block: 'rotate-keys: What a service signs with (2)', goesOn: true, promised: healthy },
  { block: 'rotate-keys: What a service signs with (3)', goesOn: true, promised: healthy },
  {
    block: 'rotate-keys: NATS users',
    goesOn: true,
    promised: says(/(Reloaded server configuration[^]*){3}/),
  },
  {
    block: 'rotate-keys: NATS users (2)',
    goesOn: true,
    promised: async (cluster, output) => {
      says(/(Reloaded server configuration[^]*){3}/)(cluster, output);
      await cluster.healthy();
    },
  },
  { block: 'rotate-keys: The superuser of PostgreSQL', goesOn: true, promised: healthy },
  {
    block: 'rotate-keys: Operators and routes of NATS',
    goesOn: true,
    promised: says(/(Reloaded server configuration[^]*){3}/),
  },
  { block: 'rotate-keys: Operators and routes of NATS (2)', before: untilAdminConnects },
  { block: 'rotate-keys: Keys of nodes (2)', values: nodeOf, promised: says(/is refused\./) },
  { block: 'rotate-keys: Keys of nodes (3)', values: nodeOf, promised: healthy },
  {
    block: 'rotate-keys: Keys of nodes (4)',
    values: nodeOf,
    before: async (cluster) => void (sealedBefore = await cluster.sealing()),
    promised: async (cluster) => {
      await cluster.sealedAnew(sealedBefore);
      await cluster.healthy();
    },
  },
  { block: 'upgrade: Upgrade', goesOn: true, promised: says(/(Reloaded server configuration[^]*){3}/) },
  {
    block: 'upgrade: Upgrade (2)',
    values: { VERSION: ({ version }) => version },
    promised: (cluster, output) =>
      says(new RegExp(`^\\+.*sluice/main-api:${cluster.version}$`, 'm'))(cluster, output),
  },
  {
    block: 'upgrade: Upgrade (3)',
    goesOn: true,
    promised: async (cluster) => {
      await upgraded(cluster);
      await cluster.healthy();
    },
  },
  { block: 'upgrade: Upgrade (4)', goesOn: true, promised: healthy },
  { block: 'upgrade: The roll of nodes', promised: says(/^ *\d+ sluice\/node:\S+$/m) },
  {
    block: 'upgrade: It does not come up',
    before: breakAudit,
    promised: async (cluster) => {
      await upgraded(cluster);
      await cluster.healthy();
    },
  },
  {
    block: 'upgrade: Replace all pods',
    before: (cluster) => cluster.writeStackFile(),
    promised: says(/^0 failed$/m),
  },
  ...maintenanceSteps,
  ...billingSteps,
  {
    block: 'evacuate-a-region: Refuse new deployments',
    goesOn: true,
    promised: (cluster) => cluster.creationRefused('cloud_b'),
  },
  {
    block: 'evacuate-a-region: Refuse new deployments (2)',
    promised: says(/^cloud_b\/us-central1 +drained/m),
  },
  { block: 'evacuate-a-region: Move its supervisor', promised: noSupervisor },
  {
    block: 'evacuate-a-region: Move its supervisor (2)',
    // the former cluster is lost
    before: async (cluster) =>
      void (await cluster.kubectl('delete', 'namespace', 'sluice-cloud-b-us-central1', '--timeout=10m')),
    promised: healthy,
  },
  {
    block: 'evacuate-a-region: Refuse new deployments (3)',
    promised: says(/^cloud_b\/us-central1 takes new deployments\.$/m),
  },
  {
    block: 'kubernetes: A new region',
    promised: async (cluster, output) => {
      says(/(Reloaded server configuration[^]*){6}/)(cluster, output);
      await cluster.offers('cloud_b', 'us-east4');
      await cluster.healthy();
    },
  },
  { block: 'remove-a-region: Empty it', goesOn: true, promised: says(/takes no new deployments/) },
  {
    block: 'remove-a-region: Empty it (2)',
    goesOn: true,
    promised: says(/^\(0 rows\)$/m, /^No resources found/m),
  },
  {
    block: 'remove-a-region: Remove its supervisor',
    goesOn: true,
    promised: async (cluster, output) => {
      says(/^cloud_b\/us-east4 is removed\./m)(cluster, output);
      await cluster.kubectl('get', 'validatingadmissionpolicybinding', 'sluice-supervisors');
      await cluster.kubectl('get', 'clusterrole', 'sluice-nodes');
    },
  },
  {
    block: 'remove-a-region: Take its keys away',
    promised: async (cluster) => {
      await cluster.createsAndRemoves('cloud_b');
      await cluster.healthy();
    },
  },
  { block: 'remove-a-region: Remove its database', promised: says(/^DROP DATABASE$/m, /^DROP ROLE$/m) },
  { block: 'data-tls: Servers of examples/data' },
  {
    block: 'data-tls: Servers of examples/data (2)',
    values: { data: 'k8s/examples/local/data-tls' },
    promised: healthy,
  },
  { block: 'tls-edge: Certificates' },
  {
    block: 'tls-edge: Apply',
    before: (cluster) => cluster.productionOnOneMachine(),
    promised: async (cluster) => {
      await cluster.createsAndRemoves('cloud_b');
      await cluster.healthy();
    },
  },
  ...dataSteps,
];

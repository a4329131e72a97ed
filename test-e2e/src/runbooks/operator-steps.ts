import type { Cluster } from './cluster.ts';
import { says, type Step } from './steps.ts';

const healthy = (cluster: Cluster) => cluster.healthy();

/** the maintenance that was planned last */
const lastMaintenance = async (cluster: Cluster) => await cluster.lastMaintenance();
const onMachine = { machine: (cluster: Cluster) => cluster.machine() };

/** On a cluster of one machine a drained node comes back to it. */
export const maintenanceSteps: readonly Step<Cluster>[] = [
  {
    block: 'maintenance: Plan it',
    values: onMachine,
    promised: says(/^Maintenance \d+ of .* is planned and announced\.$/m),
  },
  {
    block: 'maintenance: Plan it (2)',
    values: { id: lastMaintenance },
    promised: says(/^Maintenance \d+ is cancelled\.$/m),
  },
  {
    block: 'maintenance: Do it',
    values: { ...onMachine, id: lastMaintenance },
    before: (cluster) => cluster.beginMaintenance(),
    promised: says(/ node \d+ .* stopped$/m),
  },
  { block: 'maintenance: Do it (2)', values: onMachine, promised: says(/drained$/m) },
  {
    block: 'maintenance: End it',
    values: { ...onMachine, id: lastMaintenance },
    promised: async (cluster, output) => {
      says(/^Maintenance \d+ is (being )?ended/m)(cluster, output);
      await cluster.healthy();
    },
  },
  { block: 'maintenance: End it (2)', promised: says(/ ended /m) },
];

const inAnHour = () =>
  `${new Date(Date.now() + 3_600_000).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}Z`;

/** A month that is so many from now. @returns such as 2026-11 */
const monthFromNow = (months: number) => () => {
  const now = new Date();
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months));
  return month.toISOString().slice(0, 'yyyy-mm'.length);
};
/** that of the seed */
const tenant = '1';

/** The id of the tenant's last credit or discount. */
const lastOf = (what: 'credit' | 'discount') => async (cluster: Cluster) => {
  const admin = ['-n', 'sluice', 'exec', 'deployment/admin', '--', 'sluice-admin', '--service=main-api'];
  const ids = await cluster.kubectl(...admin, 'billing', what, 'list', tenant, '-o', 'name');
  return ids.trim().split('\n').at(-1) ?? '';
};

export const billingSteps: readonly Step<Cluster>[] = [
  {
    block: 'billing: Prices',
    values: { from: inAnHour },
    promised: says(/^List \d+ would be valid from /m, /^List \d+ is valid from /m),
  },
  {
    block: 'billing: Usage',
    values: {
      deployment: ({ deployment }) => deployment,
      month: monthFromNow(0),
    },
    promised: says(/^(Deployment \d+ has (cost|used)|Nothing is missing|Usage of )/m),
  },
  // its main-api has no seller
  {
    block: 'billing: Invoices',
    values: { month: monthFromNow(-1) },
    promised: says(/^main-api has not done it yet/m),
  },
  {
    block: 'billing: Invoices (2)',
    values: { tenant, from: monthFromNow(1) },
    promised: says(/ gets a credit of 250\.00 USD/, / pays 10\.00 % less /),
  },
  {
    block: 'billing: Invoices (3)',
    values: { credit: lastOf('credit'), discount: lastOf('discount'), from: monthFromNow(2) },
    promised: says(/ withdrawn\.$/m, / ends at /),
  },
  {
    block: 'billing: Payments',
    values: { tenant },
    promised: says(/pays invoices within 30 days/, / is suspended/, / is resumed/),
  },
];

/** Lets claims ask for more: what provides them need not give it. */
async function growingClaims(cluster: Cluster): Promise<void> {
  const classes = (await cluster.kubectl('get', 'storageclass', '-o', 'name')).trim().split('\n');
  await cluster.kubectl('patch', ...classes, '--type=merge', '-p', '{"allowVolumeExpansion":true}');
}
const versions = { NATS_VERSION: '2.15-alpine', POSTGRES_VERSION: '17-trixie' };

/** With the versions that the cluster has: what is shown is that the commands work. */
export const dataSteps: readonly Step<Cluster>[] = [
  { block: 'grow-volumes: Of NATS', promised: says(/\/data/) },
  { block: 'grow-volumes: Of NATS (2)', before: growingClaims, promised: healthy },
  { block: 'grow-volumes: Of PostgreSQL', promised: says(/\/var\/lib\/postgresql/) },
  { block: 'grow-volumes: Of PostgreSQL (2)', before: growingClaims, promised: healthy },
  { block: 'grow-volumes: Of PostgreSQL (3)', promised: says(/main_api/) },
  { block: 'upgrade-data: NATS', values: versions, goesOn: true, promised: says(/(nats-server: v2[^]*){3}/) },
  { block: 'upgrade-data: PostgreSQL, minor', values: versions, promised: says(/^17\./m, /(^200 [^]*){3}/m) },
  { block: 'upgrade-data: PostgreSQL, major', values: versions },
  { block: 'upgrade-data: PostgreSQL, major (2)', promised: says(/patched/) },
  { block: 'upgrade-data: PostgreSQL, major (3)', values: versions },
  { block: 'upgrade-data: PostgreSQL, major (4)', promised: healthy },
];

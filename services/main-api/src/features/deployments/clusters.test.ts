import {
  commandSchemas,
  idOf,
  type DeploymentId,
  type ReportData,
  type UpgradeReport,
} from '@sluice/contracts';
import { eventually } from '@sluice/testing';
import { deploymentsOf, idOf as newId, small, untilOffered } from '#test/deployments.ts';
import { fieldIssues, mainApi, refusal } from '#test/main-api.ts';
import { offerClusters } from '#test/offered-clusters.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi({ replicas: 1 });
const region = on.region({ register: false });
const a = on.tenants();
offerClusters(on);

const cluster = { ...small, cluster: 'cluster' };
let acme: TestTenant;
let path: string;
const create = (fields: object = {}, at = path) =>
  acme.admin.post(`${at}/managed`, { ...cluster, ...fields });
const registered = {
  cloud: region.cloud,
  region: region.region,
  supervisor_url: region.supervisorUrl,
  ...{ clusters: false, options: {}, plugins: [] },
} as const satisfies ReportData<'region_registered'>;

beforeAll(async () => {
  await region.report('region_registered', { ...registered, clusters: true });
  const deployment_tiers = [{ tier: 'small', limit: 50 } as const];
  acme = await a.tenant({ plan: 'enterprise', overrides: { cluster_enabled: true, deployment_tiers } });
  await untilOffered(acme);
  path = await deploymentsOf(acme);
});

const commandsOf = (type: 'deployment_apply' | 'extend_deployment', id: number) =>
  region.commands
    .filter((command) => command.type === type)
    .map(({ data }) => commandSchemas[type].parse(data))
    .filter((data) => ('deployment' in data ? data.deployment.id : data.deployment_id) === id);

test('a cluster has three nodes, of which its region is told', async () => {
  const created = await create();
  expect(created).toMatchObject({ status: 202, body: { cluster: 'cluster', nodes_count: 3 } });
  const id = newId(created);
  const [command] = await eventually(() => {
    const found = commandsOf('deployment_apply', id);
    expect(found).toHaveLength(1);
    return found;
  });
  const nodes = ['node-1', 'node-2', 'node-3'].map((name) => ({ name }));
  expect(command).toMatchObject({ deployment: { cluster: 'cluster', nodes } });
});

test('a cluster is offered to whoever may have one', async () => {
  const place = `${acme.path}/clouds/cloud_a/regions/us-east-1`;
  const { body } = await acme.admin.get(`${place}/clusters`);
  expect(body).toMatchObject([{ key: 'standalone' }, { key: 'cluster', available: true }]);
  const tiers = (await acme.admin.get(`${place}/tiers`)).body as unknown as { key: string }[];
  expect(tiers.find(({ key }) => key === 'small')).toMatchObject({ clusters: ['standalone', 'cluster'] });
  const few = await a.tenant({ plan: 'pro' });
  const refused = await few.admin.post(`${await deploymentsOf(few)}/managed`, cluster);
  expect(refused).toMatchObject({
    status: 403,
    body: { code: 'feature_not_available', feature: 'cluster_enabled' },
  });
});

test('a tier and the nodes of a plan have to allow it', async () => {
  expect(fieldIssues(await create({ name: 'free', tier: 'free' }))).toContain('/body/tier not_allowed');
  const overrides = { cluster_enabled: true, nodes_per_deployment_limit: 2 };
  const tight = await a.tenant({ plan: 'enterprise', overrides });
  const refused = await tight.admin.post(`${await deploymentsOf(tight)}/managed`, cluster);
  expect(refused).toMatchObject({
    ...{ status: 409, body: { limit: { name: 'nodes_per_deployment_limit', value: 2 } } },
  });
});

test('a region that cannot make clusters has none', async () => {
  await region.report('region_registered', registered);
  await region.reportsTaken();
  expect(refusal(await create({ name: 'nowhere' }))).toEqual([400, 'cluster_not_available']);
  await region.report('region_registered', { ...registered, clusters: true });
  await region.reportsTaken();
  expect((await create({ name: 'somewhere' })).status).toBe(202);
});

test('machines of customers are no cluster, so they are not in several zones', async () => {
  const { cloud, region: at } = registered;
  const setup = await acme.admin.post(`${path}/byoc/setup`, { cloud, region: at });
  const cloud_a = {
    account_id: '123456789012',
    identity_arn: 'arn:cloud_a:iam::123456789012:role/streaming/sluice',
    external_id: setup.body['external_id'],
    vpc_id: 'vpc-0a1b2c3d',
    vpc_cidr: '10.20.0.0/16',
  };
  const refused = await acme.admin.post(`${path}/byoc`, { ...cluster, name: 'own', cloud_a });
  expect(refusal(refused)).toEqual([400, 'cluster_not_available']);
  const zones = { ...small, name: 'zones', availability_mode: 'multi_az', cloud_a };
  expect(await acme.admin.post(`${path}/byoc`, zones)).toMatchObject({
    ...{ status: 403, body: { code: 'feature_not_available', feature: 'multi_az' } },
  });
  const provided = { managed: ['multi_az'], byoc: ['multi_az'] };
  await region.report('region_registered', { ...registered, clusters: true, options: provided });
  await region.reportsTaken();
  expect(fieldIssues(await acme.admin.post(`${path}/byoc`, zones))).toEqual([
    '/body/availability_mode not_together',
  ]);
  const alone = await acme.admin.post(`${path}/byoc`, { ...small, name: 'own', cloud_a });
  expect(alone.status).toBe(202);
});

describe('an extension', () => {
  let clusters = 0;
  async function running(fields: object = {}) {
    const created = await create({ name: `c-${(clusters += 1)}`, ...fields });
    expect(created.status).toBe(202);
    const id = idOf<DeploymentId>(newId(created));
    await region.status(id, 1, 'initialized');
    await region.reportsTaken();
    return { id, path: String(created.headers.get('location')) };
  }
  const extend = (at: string, count: number) => acme.admin.post(`${at}/extend`, { nodes: [{ count }] });
  async function report(id: DeploymentId, version: number, upgrade: UpgradeReport) {
    const said = { version, status: 'initialized', status_reason: null } as const;
    const changed_at = new Date().toISOString();
    await region.report('deployment_status', {
      deployment_id: id,
      uid: await region.uid(id),
      ...said,
      changed_at,
      upgrade,
    });
    await region.reportsTaken();
  }

  test('adds nodes, one at a time and up to five, and stands in the history', async () => {
    const { id, path: at } = await running();
    const answers = await Promise.all([extend(at, 2), extend(at, 2)]);
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(202);
    expect(statuses[1]).toBeGreaterThanOrEqual(400);
    const { body } = await acme.admin.get(at);
    expect(body).toMatchObject({
      ...{ nodes_count: 5, tier: 'small' },
      upgrades: [
        { nodes_before: 3, nodes_after: 5, status: 'pending', from_tier: 'small', to_tier: 'small' },
      ],
    });
    const upgrading = await acme.admin.post(`${at}/upgrade`, { tier: 'medium' });
    expect(refusal(upgrading)).toEqual([409, 'operation_in_progress']);
    const [command] = await eventually(() => {
      const found = commandsOf('extend_deployment', id);
      expect(found).toHaveLength(1);
      return found;
    });
    const upgrade_id = command && 'upgrade_id' in command ? command.upgrade_id : '';
    await report(id, 2, { upgrade_id, state: 'in_progress' });
    await report(id, 3, { upgrade_id, state: 'completed' });
    expect((await acme.admin.get(at)).body).toMatchObject({
      ...{ nodes_count: 5, upgrades: [{ status: 'completed' }] },
    });
    expect(fieldIssues(await extend(at, 2))).toEqual(['/body/nodes/0/count not_allowed']);
  });

  test('is refused to a size that no cluster has, and while the cluster is not ready', async () => {
    const { id, path: at } = await running();
    expect(fieldIssues(await extend(at, 1))).toEqual(['/body/nodes/0/count not_allowed']);
    await region.status(id, 2, 'stopped');
    await region.reportsTaken();
    expect(refusal(await extend(at, 2))).toEqual([409, 'state_conflict']);
  });

  test('what stands on local storage can be upgraded', async () => {
    const { path: at } = await running({ storage: { type: 'local_ssd' } });
    expect((await acme.admin.post(`${at}/upgrade`, { tier: 'medium' })).status).toBe(202);
  });
});

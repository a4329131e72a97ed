import { idOf, type DeploymentId, type UpgradeReport } from '@sluice/contracts';
import { deploymentsOf, idOf as newId, place, small } from '#test/deployments.ts';
import { fieldIssues, limitReached, mainApi, refusal } from '#test/main-api.ts';
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
beforeAll(async () => {
  await region.register({ clusters: true, options: {} });
  const deployment_tiers = [{ tier: 'small', limit: 50 } as const];
  acme = await a.tenant({ plan: 'enterprise', overrides: { cluster_enabled: true, deployment_tiers } });
  path = await deploymentsOf(acme);
});

test('a cluster has three nodes, which its region is commanded to make', async () => {
  const created = await create();
  expect(created).toMatchObject({ status: 202, body: { cluster: 'cluster', nodes_count: 3 } });
  const id = newId(created);
  const [command] = await region.untilCommanded('deployment_apply', id);
  const nodes = ['node-1', 'node-2', 'node-3'].map((name) => ({ name }));
  expect(command).toMatchObject({ deployment: { cluster: 'cluster', nodes } });
});

test('a cluster is offered on a plan that has clusters', async () => {
  const offered = `${acme.path}/clouds/cloud_a/regions/us-east-1`;
  const { body } = await acme.admin.get(`${offered}/clusters`);
  expect(body).toMatchObject([{ key: 'standalone' }, { key: 'cluster', available: true }]);
  const tiers = (await acme.admin.get(`${offered}/tiers`)).body as unknown as { key: string }[];
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
    ...{ status: 409, body: limitReached('nodes_per_deployment_limit', 2) },
  });
});

test('a region that cannot make clusters has none', async () => {
  await region.register({ options: {} });
  expect(refusal(await create({ name: 'nowhere' }))).toBe('400 cluster_not_available');
  await region.register({ clusters: true, options: {} });
  expect((await create({ name: 'somewhere' })).status).toBe(202);
});

test('machines of customers are no cluster, so they are not in several zones', async () => {
  const setup = await acme.admin.post(`${path}/byoc/setup`, place);
  const cloud_a = {
    account_id: '123456789012',
    identity_arn: 'arn:cloud_a:iam::123456789012:role/streaming/sluice',
    external_id: setup.body['external_id'],
    vpc_id: 'vpc-0a1b2c3d',
    vpc_cidr: '10.20.0.0/16',
  };
  const refused = await acme.admin.post(`${path}/byoc`, { ...cluster, name: 'own', cloud_a });
  expect(refusal(refused)).toBe('400 cluster_not_available');
  const zones = { ...small, name: 'zones', availability_mode: 'multi_az', cloud_a };
  expect(await acme.admin.post(`${path}/byoc`, zones)).toMatchObject({
    ...{ status: 403, body: { code: 'feature_not_available', feature: 'multi_az' } },
  });
  const provided = { managed: ['multi_az'], byoc: ['multi_az'] };
  await region.register({ clusters: true, options: provided });
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
    return { id, path: String(created.headers.get('location')) };
  }
  const extend = (at: string, count: number) => acme.admin.post(`${at}/extend`, { nodes: [{ count }] });
  const report = (id: DeploymentId, version: number, upgrade: UpgradeReport) =>
    region.status(id, version, 'initialized', { upgrade });

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
    expect(refusal(upgrading)).toBe('409 operation_in_progress');
    const [command] = await region.untilCommanded('extend_deployment', id);
    const upgrade_id = command?.upgrade_id ?? '';
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
    expect(refusal(await extend(at, 2))).toBe('409 state_conflict');
  });

  test('what stands on local storage can be upgraded', async () => {
    const { path: at } = await running({ storage: { type: 'local_ssd' } });
    expect((await acme.admin.post(`${at}/upgrade`, { tier: 'medium' })).status).toBe(202);
  });
});

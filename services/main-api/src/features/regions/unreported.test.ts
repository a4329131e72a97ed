import { randomUUID } from 'node:crypto';
import { idOf as id, type DeploymentId } from '@sluice/contracts';
import { eventually } from '@sluice/testing';
import { deploymentsOf, idOf, small } from '#test/deployments.ts';
import { fieldIssues, mainApi, refusal } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi({ environment: { REGION_REPORT_SECONDS: '1' } });
const region = on.region();
const a = on.tenants();

let acme: TestTenant;
let path: string;
beforeAll(async () => {
  const deployment_tiers = [{ tier: 'small' as const, limit: 50 }];
  acme = await a.tenant({ plan: 'enterprise', overrides: { deployment_tiers } });
  path = await deploymentsOf(acme);
});

let count = 0;
async function created() {
  const answer = await acme.admin.post(`${path}/managed`, { ...small, name: `d-${(count += 1)}` });
  const deployment = id<DeploymentId>(idOf(answer));
  return { answer, deployment, path: `${path}/${deployment}` };
}
const detail = async (at: string) => (await acme.admin.get(at)).body;
const silent = expect.stringContaining('the region has reported nothing') as string;
const untilFailed = (at: string) =>
  eventually(async () => expect(await detail(at)).toMatchObject({ status: 'failed', status_reason: silent }));
const events = (type: string, deployment: number) => region.eventsOf(type, { deployment });

test('a deployment of which its region reports nothing fails once, of two replicas', async () => {
  const { deployment, path: at } = await created();
  expect(await detail(at)).toMatchObject({ status: 'creating' });
  await untilFailed(at);
  await eventually(() => expect(events('deployment_failed', deployment)).toHaveLength(1));
  const { deployment: another, path: beside } = await created();
  await untilFailed(beside);
  await eventually(() => expect(events('deployment_failed', another)).toHaveLength(1));
  expect(events('deployment_failed', deployment)).toHaveLength(1);
});

test('what its region reports later counts', async () => {
  const { deployment, path: at } = await created();
  await untilFailed(at);
  await region.status(deployment, 1, 'initialized');
  expect(await detail(at)).toMatchObject({ status: 'initialized', status_reason: null });
});

test('one that its region has reported goes by the region as long as that is heard of', async () => {
  const { deployment, path: at } = await created();
  await region.status(deployment, 1, 'waiting_for_nodes');
  const { path: silentOne } = await created();
  const heard = setInterval(() => void region.register(), 300);
  await untilFailed(silentOne).finally(() => clearInterval(heard));
  expect(await detail(at)).toMatchObject({ status: 'waiting_for_nodes' });
  // and fails when the region is silent as a whole
  await untilFailed(at);
});

test('one that is being deleted stays so', async () => {
  const { path: at } = await created();
  await acme.admin.delete(at);
  const { path: behind } = await created();
  await untilFailed(behind);
  expect(await detail(at)).toMatchObject({ status: 'deleting' });
});

describe('an upgrade of which its region reports nothing', () => {
  async function upgrading() {
    const made = await created();
    await region.status(made.deployment, 1, 'initialized');
    const answer = await acme.admin.post(`${made.path}/upgrade`, { storage: { size: 100 } });
    expect(answer.status).toBe(202);
    const upgrade = await eventually(async () => {
      const { deployment } = await region.shape(made.deployment);
      expect(deployment.upgrade_id).toBeDefined();
      return String(deployment.upgrade_id);
    });
    return { ...made, answer, upgrade };
  }
  const untilGivenUp = (at: string) =>
    eventually(async () =>
      expect(await detail(at)).toMatchObject({ upgrades: [{ status: 'failed', reason: silent }] }),
    );
  const report = (deployment: DeploymentId, upgrade_id: string, state: 'completed' | 'in_progress') =>
    region.status(deployment, 1, 'initialized', { upgrade: { upgrade_id, state } });

  test('fails, and leaves the deployment as it was and free for another', async () => {
    const { path: at, answer } = await upgrading();
    await untilGivenUp(at);
    expect((await region.event('deployment_upgrade_failed', answer.headers)).data).toMatchObject({
      rolled_back: false,
      reason: silent,
    });
    expect(await detail(at)).toMatchObject({ status: 'initialized', storage: { size: 20 } });
    expect((await acme.admin.post(`${at}/upgrade`, { storage: { size: 200 } })).status).toBe(202);
  });

  test('is completed after all when its region says so', async () => {
    const { deployment, path: at, upgrade } = await upgrading();
    await untilGivenUp(at);
    await report(deployment, upgrade, 'completed');
    expect(await detail(at)).toMatchObject({ storage: { size: 100 }, upgrades: [{ status: 'completed' }] });
    await report(deployment, upgrade, 'in_progress');
    expect(await detail(at)).toMatchObject({ upgrades: [{ status: 'completed' }] });
  });

  test('is not opened beside another that was requested since', async () => {
    const { deployment, path: at, upgrade } = await upgrading();
    await untilGivenUp(at);
    await acme.admin.post(`${at}/upgrade`, { storage: { size: 300 } });
    await report(deployment, upgrade, 'in_progress');
    const { upgrades } = (await detail(at)) as { upgrades: { status: string }[] };
    expect(upgrades.map(({ status }) => status)[1]).toBe('failed');
    await report(deployment, randomUUID(), 'completed');
  });
});

test('a deployment that no region would accept is refused with the field', async () => {
  const most = 2_147_483_647;
  const refused = await acme.admin.post(`${path}/managed`, { ...small, target_network_tput: most });
  expect(refusal(refused)).toBe('400 invalid_request');
  expect(fieldIssues(refused)).toEqual(['/body/target_network_tput too_large']);
  const large = { ...small, name: 'large-one', target_network_tput: 100_000_000 };
  expect((await acme.admin.post(`${path}/managed`, large)).status).toBe(202);
});

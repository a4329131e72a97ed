import { randomUUID } from 'node:crypto';
import { idOf, type DeploymentId, type UpgradeReport } from '@sluice/contracts';
import { client, eventually } from '@sluice/testing';
import { deploymentsOf, idOf as newId, small } from '#test/deployments.ts';
import { fieldIssues, limitReached, mainApi, refusal } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi({ replicas: 1 });
const region = on.region();
const a = on.tenants();
let acme: TestTenant;
beforeAll(async () => {
  const deployment_tiers = (['small', 'medium'] as const).map((tier) => ({ tier, limit: 50 }));
  acme = await a.tenant({ plan: 'enterprise', overrides: { deployment_tiers } });
});

let deployments = 0;
/** A deployment that its region has initialized, in the tenant's own environment for that unless there is another. */
async function running(fields: object = {}, of = acme, at = environments.get(of.id)) {
  const path = at ?? (await deploymentsOf(of));
  if (!environments.has(of.id)) environments.set(of.id, path);
  const name = `n-${(deployments += 1)}`;
  const created = await of.admin.post(`${path}/managed`, { ...small, name, ...fields });
  expect(created.status).toBe(202);
  const id = idOf<DeploymentId>(newId(created));
  await region.status(id, 1, 'initialized');
  return { id, path: String(created.headers.get('location')) };
}
const environments = new Map<number, string>();

/** The commands to upgrade a deployment, once so many have come. */
const commandsFor = (id: number, count = 1) => region.untilCommanded('upgrade_deployment', id, count);

const report = (id: DeploymentId, version: number, upgrade: UpgradeReport) =>
  region.status(id, version, 'initialized', { upgrade });

const detail = async (path: string, of = acme) => (await of.admin.get(path)).body;

test('a region gets the price of the preview, before an upgrade and after it', async () => {
  const { id, path } = await running({ storage: { size: 30 } });
  const cents = async (tier: string, size: number) => {
    const shape = { cloud: 'cloud_a', region: 'us-east-1', tier, nodes: 1, storage: { size } };
    const preview = await acme.admin.post(`${path.replace(/\/\d+$/, '')}/preview`, shape);
    return Math.round(Number(preview.body['monthly_total_usd']) * 100);
  };
  expect((await region.shape(id)).deployment.limits.monthly_cents).toBe(await cents('small', 30));
  await acme.admin.post(`${path}/upgrade`, { tier: 'large', storage: { size: 200 } });
  const [command] = await commandsFor(id);
  expect(command?.tier_resources.monthly_cents).toBe(await cents('large', 200));
  await report(id, 2, { upgrade_id: String(command?.upgrade_id), state: 'rolled_back' });
});

describe('an upgrade', () => {
  let refused: Awaited<ReturnType<typeof running>> | undefined;

  test('changes the deployment once its region has completed it', async () => {
    const { id, path } = await running({ storage: { size: 30 } });
    const answer = await acme.admin.post(`${path}/upgrade`, { tier: 'large', storage: { size: 200 } });
    const change = {
      from_tier: 'small',
      to_tier: 'large',
      from_storage: { type: 'network_balanced', size: 30 },
      to_storage: { type: 'network_balanced', size: 200 },
    };
    const entry = { ...change, nodes_before: 1, nodes_after: 1, reason: null };
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({
      tier: 'small',
      storage: { size: 30 },
      upgrades: [{ ...entry, status: 'pending', upgraded_at: null }],
    });
    expect((await region.event('deployment_upgrade_requested', answer.headers)).data).toEqual(change);

    const [command] = await commandsFor(id);
    const { generation, deployment } = await region.shape(id);
    expect(command).toMatchObject({
      ...{ tenant_id: acme.id, uid: deployment.uid, generation, tier: 'large' },
      storage: { type: 'network_balanced', size: 200 },
      cause: { author: { id: acme.owner.id } },
    });
    expect(deployment).toMatchObject({ tier: 'small', upgrade_id: command?.upgrade_id });

    const upgrade_id = command?.upgrade_id ?? '';
    await report(id, 2, { upgrade_id, state: 'in_progress' });
    expect(await detail(path)).toMatchObject({ tier: 'small', upgrades: [{ status: 'in_progress' }] });
    await report(id, 3, { upgrade_id, state: 'completed' });
    expect(await detail(path)).toMatchObject({
      tier: 'large',
      storage: { type: 'network_balanced', size: 200 },
      upgrades: [{ ...entry, status: 'completed', upgraded_at: expect.any(String) as string }],
    });
    const event = await region.event('deployment_upgraded', answer.headers);
    expect(event).toMatchObject({ author: null, deployment: { id }, data: change });
    expect(await on.sql('SELECT instance FROM deployment_nodes WHERE deployment_id = $1', [id])).toEqual([
      { instance: 'a-general-2x8' },
    ]);
  });

  test('that its region has rolled back leaves it as it was, and says why', async () => {
    const { id, path } = await running();
    const answer = await acme.admin.post(`${path}/upgrade`, { tier: 'medium' });
    const [command] = await commandsFor(id);
    const upgrade_id = command?.upgrade_id ?? '';
    await report(id, 2, { upgrade_id, state: 'rolled_back', reason: 'the host has not the memory' });
    // what comes late changes nothing
    await report(id, 3, { upgrade_id, state: 'completed' });
    expect(await detail(path)).toMatchObject({
      tier: 'small',
      upgrades: [{ status: 'rolled_back', reason: 'the host has not the memory', upgraded_at: null }],
    });
    const event = await region.event('deployment_upgrade_failed', answer.headers);
    expect(event.data).toMatchObject({ rolled_back: true, reason: 'the host has not the memory' });
    const next = await acme.admin.post(`${path}/upgrade`, { tier: 'large' });
    expect(next.body['upgrades']).toMatchObject([{ status: 'pending' }, { status: 'rolled_back' }]);
  });

  test('is heard of no more than once, and only of its own deployment', async () => {
    const one = await running();
    const other = await running();
    await acme.admin.post(`${one.path}/upgrade`, { tier: 'medium' });
    const [command] = await commandsFor(one.id);
    const upgrade_id = command?.upgrade_id ?? '';
    await report(other.id, 2, { upgrade_id, state: 'completed' });
    await report(other.id, 3, { upgrade_id: randomUUID(), state: 'completed' });
    expect((await detail(one.path))['upgrades']).toMatchObject([{ status: 'pending' }]);
    expect(await detail(other.path)).toMatchObject({ tier: 'small', upgrades: [] });
    // the older version of the status does not take from what is said of the upgrade
    await report(one.id, 1, { upgrade_id, state: 'completed' });
    await report(one.id, 1, { upgrade_id, state: 'completed' });
    expect(await detail(one.path)).toMatchObject({ tier: 'medium' });
    const last = await acme.admin.put(one.path, { description: 'last' });
    await region.event('deployment_updated', last.headers);
    expect(region.eventsOf('deployment_upgraded', { deployment: one.id })).toHaveLength(1);
  });

  test('goes along with every shape until it has ended, and is sent again to a region that has lost it', async () => {
    const { id, path } = await running({}, acme, await deploymentsOf(acme, 'to be renamed'));
    await acme.admin.post(`${path}/upgrade`, { tier: 'medium' });
    const [first] = await commandsFor(id);
    await acme.admin.put(path.replace(/\/deployments.*/, ''), { name: `renamed ${id}` });
    const [, again] = await commandsFor(id, 2);
    const { generation, deployment } = await region.shape(id);
    expect(again).toMatchObject({ upgrade_id: first?.upgrade_id, generation });
    expect(deployment).toMatchObject({ tier: 'small', upgrade_id: first?.upgrade_id });
    const { uid, tier, cluster, storage, nodes } = deployment;
    const has = {
      ...{ id, uid, generation, status: 'initialized', status_version: 1, deleting: false, unknown: false },
      ...{ shape: { tier, cluster, storage, nodes }, instances: [], access: { revision: 1, question: null } },
    };
    const highest_ids = {
      ...{ tenants: 0, divisions: 0, environments: 0, deployments: 0, deployment_nodes: 0 },
      connector_instances: 0,
    };
    const deployments = [has];
    await region.register({ inventory: { after: id - 1, upto: id, deployments, highest_ids } });
    expect((await commandsFor(id, 3)).at(-1)).toMatchObject({ upgrade_id: first?.upgrade_id });
    await report(id, 2, { upgrade_id: first?.upgrade_id ?? '', state: 'completed' });
    await acme.admin.put(`${path}/spend_limit`, { spend_limit: 1 });
    await eventually(async () => expect((await region.shape(id)).generation).toBe(generation + 1));
    const settled = await region.shape(id);
    expect(settled.deployment).toMatchObject({ tier: 'medium' });
    expect(settled.deployment.upgrade_id).toBeUndefined();
    expect(await commandsFor(id, 3)).toHaveLength(3);
  });

  test.each([
    [{}, '/body/tier required'],
    [{ tier: null, storage: {} }, '/body/tier required'],
    [{ tier: 'small' }, '/body/tier not_allowed'],
    [{ storage: { size: 30 } }, '/body/storage not_allowed'],
    [{ storage: { size: 29 } }, '/body/storage/size too_small'],
    [{ storage: { size: 1001 } }, '/body/storage/size too_large'],
    [{ storage: { type: 'local_ssd' } }, '/body/storage/type not_allowed'],
    [{ tier: 'free' }, '/body/tier not_allowed'],
    [{ tier: 'huge' }, '/body/tier not_allowed'],
    [{ size: 3 }, '/body/size unknown_field'],
  ])('is refused with %j', async (body, issue) => {
    refused ??= await running({ storage: { size: 30 } });
    const answer = await acme.admin.post(`${refused.path}/upgrade`, body);
    expect(fieldIssues(answer)).toContain(issue);
  });
  test('is refused on local storage, and before the deployment runs, and once it is being deleted', async () => {
    const local = await running({ storage: { type: 'local_ssd' } });
    const upgrade = (path: string) => acme.admin.post(`${path}/upgrade`, { tier: 'medium' });
    expect(refusal(await upgrade(local.path))).toBe('409 upgrade_requires_cluster');
    const created = await acme.admin.post(`${await deploymentsOf(acme, 'staging')}/managed`, small);
    const path = String(created.headers.get('location'));
    expect(refusal(await upgrade(path))).toBe('409 state_conflict');
    await acme.admin.delete(path);
    expect(refusal(await upgrade(path))).toBe('409 state_conflict');
    expect((await upgrade(path.replace(/\d+$/, '999999'))).status).toBe(404);
  });

  test('is one at a time, also when several are asked for at once', async () => {
    const { id, path } = await running();
    const answers = await Promise.all(
      ['medium', 'large', 'xlarge', 'medium'].map((tier) => acme.admin.post(`${path}/upgrade`, { tier })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409]);
    for (const { status, body } of answers)
      if (status === 409) expect(body).toMatchObject({ code: 'operation_in_progress' });
    expect(await commandsFor(id)).toHaveLength(1);
  });

  test('is made once by requests with one idempotency key', async () => {
    const { id, path } = await running();
    const headers = { 'idempotency-key': `upgrade-${id}` };
    const send = () =>
      client(on.replica(0).url, acme.key).request('POST', `${path}/upgrade`, { tier: 'medium' }, headers);
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([
      202,
      202,
      'true',
    ]);
    expect((await detail(path))['upgrades']).toHaveLength(1);
  });

  test('counts in the limits of both tiers until it has ended', async () => {
    const few = await a.tenant({
      plan: 'enterprise',
      overrides: {
        deployment_tiers: [
          { tier: 'small', limit: 2 },
          { tier: 'medium', limit: 1 },
        ],
      },
    });
    const one = await running({}, few);
    const two = await running({}, few);
    const attempts = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        few.admin.post(`${(i % 2 ? one : two).path}/upgrade`, { tier: 'medium' }),
      ),
    );
    const accepted = attempts.filter(({ status }) => status === 202);
    expect(accepted).toHaveLength(1);
    const won = accepted[0]?.body['id'] === one.id ? one : two;
    const lost = won === one ? two : one;
    const limit = { name: 'deployment_tiers.medium', value: 1 };
    expect((await few.admin.post(`${lost.path}/upgrade`, { tier: 'medium' })).body).toMatchObject({ limit });
    const third = { ...small, name: 'third' };
    const inTier = (tier: string) =>
      few.admin.post(`${lost.path.replace(/\/\d+$/, '')}/managed`, { ...third, tier });
    expect((await inTier('small')).body).toMatchObject(limitReached('deployment_tiers.small', 2));
    const [command] = await commandsFor(won.id);
    await report(won.id, 2, { upgrade_id: command?.upgrade_id ?? '', state: 'completed' });
    expect((await inTier('small')).status).toBe(202);
    expect((await inTier('medium')).body).toMatchObject({ limit });
  });
});

describe('an extension', () => {
  test('needs a cluster, which no deployment is', async () => {
    const { path } = await running();
    const extend = (body: object) => acme.admin.post(`${path}/extend`, body);
    expect(refusal(await extend({ nodes: [{ count: 1 }] }))).toBe('409 extend_requires_cluster');
    expect(fieldIssues(await extend({ nodes: [{ count: 0 }] }))).toEqual(['/body/nodes/0/count too_small']);
    expect(fieldIssues(await extend({ nodes: [] }))).toEqual(['/body/nodes too_few']);
    expect(fieldIssues(await extend({}))).toEqual(['/body/nodes required']);
  });
});

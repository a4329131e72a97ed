import { randomUUID } from 'node:crypto';
import {
  commandSchemas,
  idOf,
  type Access,
  type ConnectorInstanceId,
  type DeploymentId,
  type Inventory,
} from '@sluice/contracts';
import { eventually } from '@sluice/testing';
import { mainApi } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi({ replicas: 1 });
const region = on.region();
const a = on.tenants();
const nothing = {
  ...{ tenants: 0, divisions: 0, environments: 0, deployments: 0, deployment_nodes: 0 },
  connector_instances: 0,
};
type Has = Inventory['deployments'][number];
type Shape = Has['shape'];

let acme: TestTenant;
beforeAll(async () => {
  acme = await a.tenant({
    overrides: {
      deployment_tiers: [
        { tier: 'free', limit: 50 },
        { tier: '2xlarge', limit: 0 },
      ],
    },
  });
});

/** A deployment that its region has initialized, and as the region names it. */
async function create() {
  const created = await acme.starter();
  expect(created.status).toBe(202);
  const path = created.headers.get('location') ?? '';
  const id = idOf<DeploymentId>(created.headers.get('svc-deployment') ?? '');
  const { generation, deployment } = await region.shape(id);
  const { uid, tier, cluster, storage, nodes } = deployment;
  const changed_at = new Date().toISOString();
  const status = { version: 3, status: 'initialized', status_reason: null, changed_at } as const;
  await region.report('deployment_status', { deployment_id: id, uid, ...status, access: accessOf(1) });
  const has: Has = {
    ...{ id, uid, generation, status: 'initialized', status_version: 3 },
    ...{ deleting: false, unknown: false, shape: { tier, cluster, storage, nodes }, instances: [] },
    access: { revision: 1, question: null },
  };
  return { path, id, has };
}

/** What main-api tells the region of this deployment once it has heard that this is what the region has from there on. */
async function answerTo(id: DeploymentId, deployments: Has[], highest_ids = nothing) {
  const before = region.commands.length;
  await region.register({ inventory: { after: id - 1, upto: id, deployments, highest_ids } });
  // commands arrive in order: what is sent after them comes behind them
  const last = randomUUID();
  const storage = { type: 'local_ssd' as const, size: null };
  const other: Has = {
    ...{ id: idOf<DeploymentId>(id + 1e9), uid: last, generation: 1, status: 'failed', status_version: 1 },
    ...{ deleting: false, unknown: false, instances: [], access: { revision: 1, question: null } },
    shape: { tier: 'free', cluster: 'standalone', storage, nodes: [] },
  };
  const beyond = { after: id + 1e9 - 1, upto: other.id, deployments: [other], highest_ids: nothing };
  await region.register({ inventory: beyond });
  const sent = () =>
    region.commands.slice(before).map(({ type, data }) => ({ type, ...(data as { uid?: string }) }));
  await eventually(() => expect(sent().at(-1)).toMatchObject({ type: 'deployment_unknown', uid: last }));
  return sent().slice(0, -1);
}

const applied = (answer: { type: string }[]) =>
  answer.map(({ type, ...data }) => {
    expect(type).toBe('deployment_apply');
    return commandSchemas.deployment_apply.parse(data);
  });

test('of what both have alike nothing is said', async () => {
  const { id, has } = await create();
  expect(await answerTo(id, [has])).toEqual([]);
});

test('a deployment that the region lacks is sent again', async () => {
  const { id, has } = await create();
  const [apply] = applied(await answerTo(id, []));
  expect(apply).toMatchObject({
    generation: has.generation,
    report_above: 3,
    deployment: { id, uid: has.uid },
  });
});

test('one that it has in an older generation, is sent again', async () => {
  const { id, has } = await create();
  await acme.admin.put(acme.divisionPath, { name: `renamed-${id}` });
  await eventually(async () => expect((await region.shape(id)).generation).toBe(has.generation + 1));
  const older = applied(await answerTo(id, [has]));
  expect(older).toMatchObject([{ generation: has.generation + 1, deployment: { id }, report_above: 3 }]);
});

test('one that it has in a newer generation is sent in one that is newer still', async () => {
  const { id, has } = await create();
  expect(applied(await answerTo(id, [{ ...has, generation: 40 }]))).toMatchObject([{ generation: 41 }]);
});

/** What the region has made of a deployment since the copy from which main-api was restored. */
async function upgraded({ id, has }: Awaited<ReturnType<typeof create>>, to: Partial<Shape> = {}) {
  const { deployment } = await region.shape(id);
  const { tier, cluster, storage, nodes } = deployment;
  const shape = { tier, cluster, storage: { ...storage, size: (storage.size ?? 0) + 7 }, nodes, ...to };
  const upgrade = {
    ...{ id: randomUUID(), tier: shape.tier, storage: shape.storage, nodes_after: null, reason: null },
    ...{ status: 'completed' as const, requested_at: new Date().toISOString(), correlation_id: null },
  };
  return { ...has, generation: has.generation + 2, shape, upgrade };
}

const eventsOf = (id: DeploymentId, type: string) => region.eventsOf(type, { deployment: id });

test('an upgrade that was lost here is taken over from its region, with its record', async () => {
  const created = await create();
  const { id, path } = created;
  const has = await upgraded(created, { tier: 'small' });
  const before = (await region.shape(id)).deployment.limits.monthly_cents;
  const [apply] = applied(await answerTo(id, [has]));
  expect(apply).toMatchObject({
    generation: has.generation + 1,
    deployment: { tier: 'small', storage: has.shape.storage },
  });
  expect(apply?.deployment.limits.monthly_cents).not.toBe(before);
  const read = async () => (await acme.admin.get(path)).body;
  expect(await read()).toMatchObject({
    tier: 'small',
    storage: has.shape.storage,
    upgrades: [{ from_tier: 'free', to_tier: 'small', status: 'completed' }],
  });
  await eventually(() =>
    expect(eventsOf(id, 'deployment_adopted')).toMatchObject([
      { author: null, data: { from_tier: 'free', to_tier: 'small', to_storage: has.shape.storage } },
    ]),
  );
  // the second time it is known, and the next change counts on from there
  const now = { ...has, generation: has.generation + 1 };
  expect(await answerTo(id, [now])).toEqual([]);
  await acme.admin.put(acme.divisionPath, { name: `adopted-${id}` });
  await eventually(async () => expect((await region.shape(id)).generation).toBe(now.generation + 1));
  expect((await region.shape(id)).deployment).toMatchObject({ tier: 'small', storage: has.shape.storage });
  expect(eventsOf(id, 'deployment_adopted')).toHaveLength(1);
});

test('limits that are exceeded by what is taken over are named', async () => {
  const created = await create();
  const has = await upgraded(created, { tier: '2xlarge' });
  await answerTo(created.id, [has]);
  await eventually(() =>
    expect(eventsOf(created.id, 'deployment_adopted')).toMatchObject([
      { data: { exceeded_limits: ['deployment_tiers.2xlarge'] } },
    ]),
  );
});

test('an upgrade that goes on in its region goes on here, and larger storage is never sent smaller', async () => {
  const created = await create();
  const { id, path } = created;
  const { deployment } = await region.shape(id);
  const has = await upgraded(created, { storage: deployment.storage });
  const upgrade = { ...has.upgrade, tier: 'small', status: 'in_progress' as const };
  const answer = await answerTo(id, [{ ...has, upgrade }]);
  expect(answer.map(({ type }) => type)).toEqual(['deployment_apply', 'upgrade_deployment']);
  expect(answer[1]).toMatchObject({ upgrade_id: upgrade.id, tier: 'small' });
  expect((await acme.admin.get(path)).body).toMatchObject({
    tier: 'free',
    upgrades: [{ status: 'in_progress' }],
  });

  // a change here, before the first inventory, has come to the region's generation
  const other = await create();
  const larger = { ...(await upgraded(other, { tier: 'small' })), generation: other.has.generation };
  expect(applied(await answerTo(other.id, [larger]))).toMatchObject([
    { generation: other.has.generation + 1, deployment: { storage: larger.shape.storage } },
  ]);
});

test('a shape that cannot be is not taken over, and the region keeps it', async () => {
  const created = await create();
  const stranger = await create();
  const { id, path } = created;
  const { deployment } = await region.shape(id);
  const { nodes } = (await region.shape(stranger.id)).deployment;
  const { storage } = deployment;
  const wrong: Partial<Shape>[] = [
    { tier: 'colossal' },
    { cluster: 'cluster' },
    { nodes },
    { storage: { ...storage, size: 1 } },
    { storage: { ...storage, size: 1_000_000 } },
    { storage: { type: 'local_ssd', size: null } },
  ];
  for (const to of wrong) expect(await answerTo(id, [await upgraded(created, to)])).toEqual([]);
  expect((await acme.admin.get(path)).body).toMatchObject({ tier: 'free', storage, upgrades: [] });
});

test('connectors that were lost here are taken over; those deleted since stay deleted', async () => {
  const { id, path, has } = await create();
  const instance = (number: number, connector_key = 'http') => ({
    ...{ id: idOf<ConnectorInstanceId>(id * 1_000 + number), connector_type: 'sink' as const, connector_key },
    ...{ name: `HTTP ${number}`, key: `lost-${number}`, created_at: new Date().toISOString() },
  });
  const [kept, deleted, unheard] = [instance(1), instance(2), instance(3, 'unheard-of')];
  const { uid } = has;
  await region.report('connector_deleted', { deployment_id: id, uid, instance_id: deleted.id });
  const instances = [kept, deleted, unheard];
  const again = await answerTo(id, [{ ...has, instances }]);
  expect(again.map(({ type }) => type)).toEqual([
    'connector_delete',
    'deployment_apply',
    'connector_activate',
  ]);
  expect(again).toMatchObject([{ uid, instance_id: deleted.id }, {}, { instance: kept }]);
  const rows = await on.sql('SELECT id, key FROM connector_instances WHERE deployment_id = $1', [id]);
  expect(rows).toMatchObject([{ key: kept.key }]);
  await eventually(() =>
    expect(eventsOf(id, 'connector_adopted')).toMatchObject([{ data: { instance_id: kept.id } }]),
  );
  expect(await answerTo(id, [{ ...has, instances: [kept] }])).toEqual([]);
  const taken = { connector_key: 'http', connector_type: 'sink', instance_key: kept.key };
  expect((await acme.admin.post(`${path}/connectors/activate`, taken)).status).toBe(409);
  // as many as are known, but other ones
  expect(await answerTo(id, [{ ...has, instances: [deleted] }])).toMatchObject([
    { type: 'connector_delete', instance_id: deleted.id },
    { type: 'deployment_apply' },
    { type: 'connector_activate', instance: { id: kept.id } },
  ]);
});

test('a status that is not the one that was said last is asked for anew', async () => {
  const { id, has } = await create();
  const restored = { ...has, status: 'deploying_nodes', status_version: 2 };
  expect(applied(await answerTo(id, [restored]))).toMatchObject([{ report_above: 3 }]);
  const another = { ...has, status: 'failed' };
  expect(applied(await answerTo(id, [another]))).toMatchObject([{ report_above: 3 }]);
});

test('connectors that it had taken in and has no more are sent again, once, behind the shape', async () => {
  const { id, path, has } = await create();
  const activate = async (connector_type: string) => {
    const http = { connector_key: 'http', connector_type };
    const { body } = await acme.admin.post(`${path}/connectors/activate`, http);
    const instance = { id: idOf<ConnectorInstanceId>(Number(body['id'])) };
    await eventually(() =>
      expect(region.commands.at(-1)).toMatchObject({ type: 'connector_activate', data: { instance } }),
    );
    return instance.id;
  };
  const answer = async (instance_id: ConnectorInstanceId, accepted: boolean) =>
    region.report('connector_activation', {
      ...{ deployment_id: id, uid: has.uid, instance_id, accepted, reason: accepted ? null : 'not here' },
    });
  await answer(await activate('source'), false);
  await activate('sink');
  // what the region has not answered yet is under way
  expect(await answerTo(id, [has])).toEqual([]);
  const taken = await activate('sink');
  await answer(taken, true);
  const { instance } = commandSchemas.connector_activate.parse(region.commands.at(-1)?.data);
  expect(await answerTo(id, [{ ...has, instances: [instance] }])).toEqual([]);
  const again = await answerTo(id, [has]);
  expect(again.map(({ type }) => type)).toEqual([
    'deployment_apply',
    'connector_activate',
    'connector_activate',
  ]);
  expect(again.at(-1)).toMatchObject({ instance: { id: taken } });
});

test('one that is deleted here, or is to be, is to be deleted there', async () => {
  const { id, path, has } = await create();
  await acme.admin.delete(path);
  const again = { type: 'deployment_delete', deployment_id: id, uid: has.uid };
  expect(await answerTo(id, [has])).toContainEqual(expect.objectContaining(again));
  expect(await answerTo(id, [{ ...has, deleting: true }])).toEqual([]);
  expect(await answerTo(id, [])).toMatchObject([again]);
  await region.removed(id, has.uid);
  expect(await answerTo(id, [has])).toMatchObject([again]);
});

test('a deployment that is unknown here is reported to its region, also where another has its id', async () => {
  const { id, has } = await create();
  const stranger = { ...has, uid: randomUUID() };
  const answer = await answerTo(id, [stranger]);
  expect(answer).toContainEqual(
    expect.objectContaining({ type: 'deployment_unknown', deployment_id: id, uid: stranger.uid }),
  );
  expect(applied(answer.filter(({ type }) => type === 'deployment_apply'))).toMatchObject([
    { deployment: { uid: has.uid } },
  ]);
  // and when it is known after all, it is applied again
  expect(applied(await answerTo(id, [{ ...has, unknown: true }]))).toHaveLength(1);
});

test('ids that a region knows are not given out again', async () => {
  const { id, has } = await create();
  const highest = { ...nothing, deployments: id + 5_000_000 };
  await answerTo(id, [has], highest);
  expect((await create()).id).toBeGreaterThan(highest.deployments);
  const environments = `${acme.divisionPath}/environments`;
  expect((await acme.admin.post(environments, { name: 'after-restore' })).body['id']).toBeGreaterThan(50_000);
});

/** As the region reports it, with one rule. */
const accessOf = (revision: number): Access => ({
  revision,
  login: { username: 'orders', sealed_password: 'sealed' },
  former_logins: [],
  rules: [
    {
      ...{ id: idOf(7), name: 'office', remarks: null, valid_to: null },
      ...{ protocols: ['broker_tcp'], cidr_blocks: ['192.0.2.0/24'], created_at: '2026-03-01T12:00:00.000Z' },
    },
  ],
});

test('rules and logins that a restored region has lost are sent to it, the newest that it has reported', async () => {
  const { id, has } = await create();
  const { uid } = has;
  for (const revision of [20, 30, 10]) {
    const access = { ...accessOf(revision), rules: revision === 30 ? [] : accessOf(revision).rules };
    const status = { version: 3, status: 'initialized' as const, status_reason: null };
    const changed_at = new Date().toISOString();
    await region.report('deployment_status', { deployment_id: id, uid, ...status, changed_at, access });
  }
  expect(await answerTo(id, [{ ...has, access: { revision: 30, question: null } }])).toEqual([]);
  const kept = { ...accessOf(30), rules: [] };
  const older = applied(await answerTo(id, [{ ...has, access: { revision: 20, question: null } }]));
  expect(older).toMatchObject([{ deployment: { id }, report_above: 3, access: kept }]);
  expect(older[0]).not.toHaveProperty('access_question');

  const question = randomUUID();
  const asked = applied(await answerTo(id, [{ ...has, access: { revision: 30, question } }]));
  expect(asked).toMatchObject([{ access: kept, access_question: question }]);
  // one that the region has lost altogether
  expect(applied(await answerTo(id, []))).toMatchObject([{ access: kept }]);
});

test('a region that knows newer rules than main-api is asked for them', async () => {
  const { id, has } = await create();
  await on.sql('DELETE FROM deployment_access WHERE deployment_id = $1', [id]);
  const [apply] = applied(await answerTo(id, [{ ...has, access: { revision: 5, question: null } }]));
  expect(apply).toMatchObject({ deployment: { id }, report_above: 3 });
  expect(apply).not.toHaveProperty('access');
});

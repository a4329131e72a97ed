import { randomUUID } from 'node:crypto';
import {
  commandSchemas,
  idOf,
  type ConnectorInstanceId,
  type ConnectorsReport,
  type DeploymentId,
  type ReportData,
} from '@sluice/contracts';
import { eventually, type Answer } from '@sluice/testing';
import { fieldIssues, itemsOf, limitReached, mainApi, refusal, sendTwice } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi({ replicas: 1 });
const region = on.region();
const a = on.tenants();

const http = { connector_key: 'http', connector_type: 'sink' };

interface Deployed {
  acme: TestTenant;
  id: DeploymentId;
  path: string;
  connectors: string;
  activate: (input?: object) => Promise<Answer>;
}

/** A tenant with a deployment. */
async function deployed(options: Parameters<typeof a.tenant>[0] = {}): Promise<Deployed> {
  const acme = await a.tenant(options);
  const created = await acme.starter();
  const path = created.headers.get('location') ?? '';
  const connectors = `${path}/connectors`;
  return {
    ...{ acme, path, connectors, id: idOf(Number(created.body['id'])) },
    activate: (input = http) => acme.admin.post(`${connectors}/activate`, input),
  };
}

const activations = (id: number) => region.commandsOf('connector_activate', id);

/** What the region says to an activation. */
async function answer(id: DeploymentId, instance: Answer, more: Partial<ReportData<'connector_activation'>>) {
  const instance_id = idOf<ConnectorInstanceId>(Number(instance.body['id']));
  await region.report('connector_activation', {
    ...{
      deployment_id: id,
      uid: more.uid ?? (await region.uid(id)),
      instance_id,
      accepted: true,
      reason: null,
    },
    ...more,
  });
}
const refused = { accepted: false, reason: 'not here' };

const entry = async ({ acme, connectors }: Deployed, { connector_type, connector_key } = http) =>
  itemsOf(await acme.admin.get(`${connectors}?type=${connector_type}&results=100`)).find(
    ({ key }) => key === connector_key,
  );
const instancesOf = async (there: Deployed) => (await entry(there))?.['instances'];

describe('the catalogue of a deployment', () => {
  test('has 14 sinks and 5 sources, in pages and by type', async () => {
    const { acme, connectors } = await deployed();
    const total = async (query: string) =>
      (await acme.admin.get(`${connectors}?${query}`)).body['total_results'];
    expect([await total(''), await total('type=sink'), await total('type=source')]).toEqual([19, 14, 5]);
    const all = itemsOf(await acme.admin.get(`${connectors}?results=100`));
    const page = await acme.admin.get(`${connectors}?results=8&page=3`);
    expect(itemsOf(page)).toEqual(all.slice(16));
    expect(page.headers.get('link')).toContain('rel="prev"');
    expect(itemsOf(await acme.admin.get(`${connectors}?page=9`))).toEqual([]);
    expect(all[0]).toEqual({
      ...{ key: 'stdout', type: 'sink', name: 'Standard output', description: expect.any(String) as string },
      ...{ available: true, permitted: true, instances: [] },
    });
    expect(refusal(await acme.admin.get(`${connectors}?type=both`))).toBe('400 invalid_request');
  });

  test('lists what there is, also where an instance is of a connector that an earlier release had', async () => {
    const there = await deployed();
    const made = await there.activate();
    await on.sql("UPDATE connector_instances SET connector_key = 'iceberg' WHERE id = $1", [made.body['id']]);
    expect((await there.acme.admin.get(there.connectors)).body['total_results']).toBe(19);
    expect(await instancesOf(there)).toEqual([]);
  });

  test('says what the plan and the caller may have activated', async () => {
    const basic = await deployed({ plan: 'basic' });
    const storage = { connector_type: 'sink', connector_key: 'object-storage' };
    expect(await entry(basic)).toMatchObject({ permitted: true });
    expect(await entry(basic, storage)).toMatchObject({ permitted: false });
    expect((await basic.activate(storage)).body).toMatchObject({
      ...{ status: 403, code: 'feature_not_available', feature: 'advanced_connectors_enabled' },
    });
    const pro = await deployed();
    expect(await entry(pro, storage)).toMatchObject({ permitted: true });
    expect((await pro.activate(storage)).status).toBe(202);
    const reader = await pro.acme.with({ environment: ['deployment:connector:read'] });
    const seen = itemsOf(await reader.get(`${pro.connectors}?results=100`));
    expect(seen.map(({ permitted }) => permitted)).toEqual(Array(19).fill(false));
    expect(refusal(await reader.post(`${pro.connectors}/activate`, http))).toBe('403 forbidden');
    const other = await pro.acme.with({ environment: ['deployment:read'] });
    expect(refusal(await other.get(pro.connectors))).toBe('403 forbidden');
  });

  test('keeps a plan from being left that an instance needs, until its region has refused that', async () => {
    const there = await deployed();
    const toBasic = () => there.acme.admin.put(`${there.acme.path}/subscription`, { plan: 'basic' });
    await there.activate();
    const storage = await there.activate({ connector_type: 'sink', connector_key: 'object-storage' });
    expect((await toBasic()).body).toMatchObject({
      ...{ code: 'limit_reached' },
      exceeded: [{ name: 'advanced_connectors_enabled', limit: 0, used: 1, excess: 1 }],
    });
    await answer(there.id, storage, refused);
    expect((await toBasic()).status).toBe(204);
  });

  test('is that of a deployment that there is', async () => {
    const { acme, connectors, id } = await deployed();
    const absent = connectors.replace(`deployments/${id}`, `deployments/${id + 1_000_000}`);
    expect((await acme.admin.get(absent)).status).toBe(404);
    expect((await acme.admin.post(`${absent}/activate`, http)).status).toBe(404);
  });
});

describe('an activation', () => {
  let forRefusals: Deployed;
  beforeAll(async () => {
    forRefusals = await deployed();
  });

  test('is accepted, recorded and sent to the region, and shown from then on', async () => {
    const there = await deployed();
    const { acme, id, connectors } = there;
    const made = await there.activate({ ...http, instance_name: 'Orders', instance_key: 'orders' });
    const instance_id = Number(made.body['id']);
    expect(made.status).toBe(202);
    expect(made.headers.get('svc-connector-instance')).toBe(String(instance_id));
    expect(made.headers.get('location')).toBe(`${connectors}?type=sink`);
    const named = { ...http, name: 'Orders', key: 'orders' };
    expect(made.body).toEqual({
      ...{ id: instance_id, deployment_id: id, ...named, status: 'pending', status_reason: null },
      created_at: expect.any(String) as string,
    });
    expect(await instancesOf(there)).toEqual([made.body]);
    const event = await region.event('connector_activated', made.headers);
    expect([event.deployment?.id, event.data]).toEqual([id, { instance_id, ...named }]);
    const { uid } = (await region.shape(id)).deployment;
    const [sent] = await eventually(() => {
      expect(activations(id)).toHaveLength(1);
      return activations(id);
    });
    expect(sent).toMatchObject({
      ...{ deployment_id: id, uid, instance: { id: instance_id, ...named } },
      cause: { author: { id: acme.owner.id } },
    });
  });

  test('of one connector again and again makes instances with keys of their own', async () => {
    const there = await deployed();
    const [first, second] = [await there.activate(), await there.activate()];
    for (const made of [first, second])
      expect(made.body).toMatchObject({
        ...{ key: `http-sink-${String(made.body['id'])}`, name: 'HTTP sink' },
      });
    expect(first.body['id']).not.toBe(second.body['id']);
    // the next one is taken
    const guessed = `http-sink-${Number(second.body['id']) + 2}`;
    expect((await there.activate({ ...http, instance_key: guessed })).status).toBe(202);
    const third = await there.activate();
    expect([third.status, third.body['key']]).toEqual([202, `http-sink-${String(third.body['id'])}`]);
    expect(third.body['key']).not.toBe(guessed);
  });

  test('under a key that another instance of the deployment has is refused', async () => {
    const [there, elsewhere] = [await deployed(), await deployed()];
    const named = { ...http, instance_key: 'orders' };
    expect((await there.activate(named)).status).toBe(202);
    const source = { connector_key: 'http', connector_type: 'source', instance_key: 'orders' };
    expect(refusal(await there.activate(source))).toBe('409 name_taken');
    expect((await elsewhere.activate(named)).status).toBe(202);
  });

  test('of two under one key at once makes one; a retry is given the first answer', async () => {
    const there = await deployed();
    const named = { ...http, instance_key: 'orders' };
    const activate = `${there.connectors}/activate`;
    expect(await there.acme.race((to) => to.post(activate, named))).toEqual(['202', '409 name_taken']);
    const [first] = await sendTwice(there.acme.admin, 'POST', activate, http);
    expect(first.status).toBe(202);
    expect(await instancesOf(there)).toHaveLength(2);
  });

  test.each([
    [{ ...http, connector_key: 'telex' }, '/body/connector_key unknown'],
    [{ connector_key: 'clickhouse', connector_type: 'source' }, '/body/connector_key unknown'],
    [{ ...http, connector_type: 'both' }, '/body/connector_type not_allowed'],
    [{ ...http, instance_key: 'Orders' }, '/body/instance_key wrong_format'],
    [{ ...http, instance_key: 'a:b' }, '/body/instance_key wrong_format'],
    [{ ...http, instance_key: 'x'.repeat(64) }, '/body/instance_key too_long'],
    [{ ...http, instance_name: ' ' }, '/body/instance_name wrong_format'],
  ])('is not made of %j', async (input, issue) => {
    const answered = await forRefusals.activate(input);
    expect(fieldIssues(answered)).toEqual([issue]);
  });
  test('on a deployment that is being deleted is refused', async () => {
    const there = await deployed();
    await there.acme.admin.delete(there.path);
    expect(refusal(await there.activate())).toBe('409 state_conflict');
  });

  test('beyond a hundred instances of a deployment is refused, also when several are the last one', async () => {
    const there = await deployed();
    await on.sql(
      `INSERT INTO connector_instances (deployment_id, connector_type, connector_key, name, key)
       SELECT $1, 'sink', 'stdout', 'x', 'x' || n FROM generate_series(1, 99) n`,
      [there.id],
    );
    const activate = `${there.connectors}/activate`;
    const answers = await there.acme.race((to) => to.post(activate, http), 3);
    expect(answers).toEqual(['202', '409 limit_reached', '409 limit_reached']);
    expect((await there.activate()).body).toMatchObject(
      limitReached('connector_instances_per_deployment', 100),
    );
  });
});

describe('the region', () => {
  test('that accepts an instance leaves it pending, also when it repeats that', async () => {
    const there = await deployed();
    const made = await there.activate();
    await answer(there.id, made, {});
    await answer(there.id, made, {});
    expect(await instancesOf(there)).toEqual([made.body]);
    const [row] = await on.sql('SELECT accepted_at, refused_at FROM connector_instances WHERE id = $1', [
      made.body['id'],
    ]);
    expect(row).toEqual({ accepted_at: expect.any(Date) as Date, refused_at: null });
  });

  test('that refuses one makes it fail for good with its reason, and frees its key', async () => {
    const there = await deployed();
    const named = { ...http, instance_key: 'orders' };
    const made = await there.activate(named);
    await answer(there.id, made, refused);
    await answer(there.id, made, { accepted: false, reason: 'again' });
    await answer(there.id, made, { accepted: true });
    const failed = { ...made.body, status: 'failed', status_reason: 'not here' };
    expect(await instancesOf(there)).toEqual([failed]);
    const recorded = await eventually(() => {
      const events = region.eventsOf('connector_refused', { deployment: there.id });
      expect(events).not.toEqual([]);
      return events;
    });
    expect(recorded.map(({ data, author }) => [data, author])).toEqual([
      [{ instance_id: made.body['id'], ...http, name: 'HTTP sink', key: 'orders', reason: 'not here' }, null],
    ]);

    const source = { connector_key: 'http', connector_type: 'source', instance_key: 'orders' };
    expect((await there.activate(source)).status).toBe(202);
    expect(await instancesOf(there)).toEqual([failed]);
    // what is activated anew takes the place of what was refused of it
    const again = await there.activate({ ...named, instance_key: 'others' });
    expect(await instancesOf(there)).toEqual([again.body]);
  });

  test('that reports another deployment, or none, has no effect', async () => {
    const [there, other] = [await deployed(), await deployed()];
    const made = await there.activate();
    await answer(there.id, made, { ...refused, uid: randomUUID() });
    await answer(other.id, made, refused);
    await answer(idOf(999_999_999), made, { ...refused, uid: randomUUID() });
    expect(await instancesOf(there)).toEqual([made.body]);
  });

  test('that has lost a deployment is sent its connectors again, behind its shape, but not what it has refused', async () => {
    const there = await deployed();
    const { id } = there;
    const [kept, gone] = [
      await there.activate(),
      await there.activate({ ...http, connector_type: 'source' }),
    ];
    await answer(id, kept, {});
    await answer(id, gone, refused);
    await eventually(() => expect(activations(id)).toHaveLength(2));
    const nothing = { tenants: 0, divisions: 0, environments: 0, deployments: 0, deployment_nodes: 0 };
    const before = region.commands.length;
    const highest_ids = { ...nothing, connector_instances: 0 };
    await region.register({ inventory: { after: id - 1, upto: id, deployments: [], highest_ids } });
    await eventually(() => expect(activations(id)).toHaveLength(3));
    const again = region.commands.slice(before).filter(({ data }) => {
      const applied = commandSchemas.deployment_apply.safeParse(data).data?.deployment.id;
      const activated = commandSchemas.connector_activate.safeParse(data).data?.deployment_id;
      return applied === id || activated === id;
    });
    expect(again.map(({ type }) => type)).toEqual(['deployment_apply', 'connector_activate']);
    expect(activations(id)[2]?.instance).toEqual(activations(id)[0]?.instance);
  });
});

test('instances go with their deployment', async () => {
  const there = await deployed();
  await there.activate();
  await there.acme.admin.delete(there.path);
  await region.removed(there.id);
  expect(await on.sql('SELECT FROM connector_instances WHERE deployment_id = $1', [there.id])).toEqual([]);
});

describe('the report of a region about connectors', () => {
  const reported = (there: Deployed, version: number, more: Partial<ConnectorsReport>) =>
    region.status(there.id, 1, 'creating', { connectors: { version, plugins: [], instances: [], ...more } });

  test('is shown: which connectors its runtime has, and how each instance is', async () => {
    const there = await deployed();
    const id = idOf<ConnectorInstanceId>(Number((await there.activate()).body['id']));
    expect(await entry(there)).toMatchObject({ available: true, instances: [{ status: 'pending' }] });
    const running = { instances: [{ id, status: 'active' as const, reason: null }] };
    await reported(there, 5, { plugins: [{ type: 'sink', key: 'http' }], ...running });
    expect(await entry(there)).toMatchObject({
      available: true,
      instances: [{ id, status: 'active', status_reason: null }],
    });
    const source = { connector_type: 'source', connector_key: 'http' };
    expect(await entry(there, source)).toMatchObject({ available: false });
    // what is older has been overtaken, and another deployment's is none of its business
    await reported(there, 4, { instances: [{ id, status: 'failed', reason: 'long ago' }] });
    await reported(await deployed(), 9, { instances: [{ id, status: 'failed', reason: 'elsewhere' }] });
    expect(await entry(there)).toMatchObject({ available: true, instances: [{ status: 'active' }] });
    await reported(there, 6, { instances: [{ id, status: 'failed', reason: 'no table' }] });
    expect(await entry(there)).toMatchObject({
      available: false,
      instances: [{ status: 'failed', status_reason: 'no table' }],
    });
  });

  test('decides what can be activated, once all other checks have passed', async () => {
    const there = await deployed({ plan: 'basic' });
    await reported(there, 1, { plugins: [{ type: 'sink', key: 'stdout' }] });
    expect(await there.activate()).toMatchObject({
      status: 409,
      body: { code: 'connector_not_available', detail: expect.stringContaining('sink http') as string },
    });
    expect(activations(there.id)).toEqual([]);
    expect(await instancesOf(there)).toEqual([]);
    expect((await there.activate({ ...http, connector_key: 'stdout' })).status).toBe(202);
    const kafka = { connector_type: 'sink', connector_key: 'kafka' };
    expect(refusal(await there.activate(kafka))).toBe('403 feature_not_available');
    expect(refusal(await there.activate({ ...http, connector_key: 'telex' }))).toBe('400 invalid_request');
  });

  test('is what its release has, until the nodes of a deployment have reported', async () => {
    const release = (plugins: ConnectorsReport['plugins']) => region.register({ options: {}, plugins });
    const there = await deployed();
    await release([{ type: 'sink', key: 'http' }]);
    const mysql = { connector_type: 'sink', connector_key: 'mysql' };
    expect([(await entry(there))?.['available'], (await entry(there, mysql))?.['available']]).toEqual([
      true,
      false,
    ]);
    expect((await there.activate()).status).toBe(202);
    expect(refusal(await there.activate(mysql))).toBe('409 connector_not_available');
    await release([]);
    expect(refusal(await there.activate())).toBe('409 connector_not_available');
    await reported(there, 1, { plugins: [{ type: 'sink', key: 'http' }] });
    expect((await there.activate()).status).toBe(202);
    await region.register();
  });

  test('does not undo a refusal', async () => {
    const there = await deployed();
    const activated = await there.activate();
    const id = idOf<ConnectorInstanceId>(Number(activated.body['id']));
    await answer(there.id, activated, refused);
    await reported(there, 1, { instances: [{ id, status: 'active', reason: null }] });
    expect(await entry(there)).toMatchObject({
      instances: [{ status: 'failed', status_reason: 'not here' }],
    });
  });
});

import { client, eventually } from '@sluice/testing';
import { itemsOf, mainApi, refusal } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi({ replicas: 1 });
const replica = on.replica();
const region = on.region();
const a = on.tenants();

const environmentsOf = (tenant: TestTenant) => `${tenant.path}/divisions/${tenant.division}/environments`;

test('an environment is created, read, changed and deleted, each with its event', async () => {
  const acme = await a.tenant();
  const created = await acme.admin.post(environmentsOf(acme), { name: 'production', description: 'Soon' });
  const id = Number(created.body['id']);
  const path = `${environmentsOf(acme)}/${id}`;
  expect(created.status).toBe(201);
  expect(created.headers.get('location')).toBe(path);
  expect(created.headers.get('svc-environment')).toBe(String(id));
  expect((await acme.admin.get(path)).body).toEqual(created.body);
  const about = { division: { id: acme.division, name: 'default' }, environment: { id, name: 'production' } };
  expect(await region.event('environment_created', created.headers)).toMatchObject(about);

  const changed = await acme.admin.put(path, { description: 'For real', protected: false });
  expect(changed.status).toBe(204);
  expect((await region.event('environment_updated', changed.headers)).data).toEqual({
    changes: { description: 'For real' },
    former: { description: 'Soon' },
  });
  // null clears a text, and means absent elsewhere; what changes nothing is no event
  const same = [await acme.admin.put(path, {}), await acme.admin.put(path, { name: null, protected: null })];
  const cleared = await acme.admin.put(path, { description: null });
  expect([...same, cleared].map(({ status }) => status)).toEqual([204, 204, 204]);
  expect((await region.event('environment_updated', cleared.headers)).data).toEqual({
    changes: { description: null },
    former: { description: 'For real' },
  });
  const updates = region.events.filter(
    ({ type, environment }) => type === 'environment_updated' && environment?.id === id,
  );
  expect(updates).toHaveLength(2);

  const deleted = await acme.admin.delete(path);
  expect(deleted.status).toBe(204);
  expect(await region.event('environment_deleted', deleted.headers)).toMatchObject(about);
  expect((await acme.admin.get(path)).status).toBe(404);
});

test('a new name of an environment is told to the regions of its deployments', async () => {
  const acme = await a.tenant();
  const starter = await acme.admin.post(`${acme.path}/divisions/${acme.division}/deployments/starter`, {
    cloud: 'cloud_a',
    region: 'us-east-1',
  });
  const path = `${environmentsOf(acme)}/${starter.headers.get('svc-environment')}`;
  const renamed = await acme.admin.put(path, { name: 'playground' });
  await region.event('environment_updated', renamed.headers);
  // events and commands are sent each for themselves
  await eventually(async () => {
    const { generation, deployment } = await region.shape(Number(starter.body['id']));
    expect([generation, deployment.environment.name]).toEqual([2, 'playground']);
  });
});

test('the plan limits the environments of a division and of the tenant', async () => {
  const acme = await a.tenant({ plan: 'basic' });
  const others = `${acme.path}/divisions/${String((await acme.admin.post(`${acme.path}/divisions`, { name: 'two' })).body['id'])}/environments`;
  for (const name of ['one', 'two'])
    expect((await acme.admin.post(environmentsOf(acme), { name })).status).toBe(201);
  expect((await acme.admin.post(environmentsOf(acme), { name: 'three' })).body).toMatchObject({
    code: 'limit_reached',
    limit: { name: 'environments_per_division_limit', value: 2 },
  });
  expect((await acme.admin.post(others, { name: 'one' })).status).toBe(201);
  expect((await acme.admin.post(others, { name: 'two' })).body).toMatchObject({
    code: 'limit_reached',
    limit: { name: 'environments_limit', value: 3 },
  });
});

test('however many environments are asked for at once, no division and no tenant gets more than the plan has', async () => {
  const acme = await a.tenant({ plan: 'basic' });
  const other = String((await acme.admin.post(`${acme.path}/divisions`, { name: 'two' })).body['id']);
  const places = [environmentsOf(acme), `${acme.path}/divisions/${other}/environments`];
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, position) =>
      acme.admin.post(String(places[position % 2]), { name: `e${position}` }),
    ),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  const limits = answers
    .filter(({ status }) => status !== 201)
    .map(({ body }) => [body['code'], (body['limit'] as { name: string }).name].join(' '));
  expect(limits).toHaveLength(47);
  for (const limit of limits)
    expect(['limit_reached environments_limit', 'limit_reached environments_per_division_limit']).toContain(
      limit,
    );
  const counts = await Promise.all(
    places.map(async (path) => Number((await acme.admin.get(path)).body['total_results'])),
  );
  // a division has two at most, the tenant three
  expect(counts.sort()).toEqual([1, 2]);
});

test('an environment that a starter brings along counts as any other', async () => {
  const acme = await a.tenant({ plan: 'basic' });
  const starter = () =>
    acme.admin.post(`${acme.path}/divisions/${acme.division}/deployments/starter`, {
      cloud: 'cloud_a',
      region: 'us-east-1',
    });
  for (const name of ['one', 'two']) await acme.admin.post(environmentsOf(acme), { name });
  expect((await starter()).body).toMatchObject({
    code: 'limit_reached',
    limit: { name: 'environments_per_division_limit', value: 2 },
  });
  expect((await acme.admin.get(environmentsOf(acme))).body['total_results']).toBe(2);
});

test('an environment is created once by the same idempotency key, and deleted once when that is asked twice', async () => {
  const acme = await a.tenant();
  const create = () =>
    acme.admin.request('POST', environmentsOf(acme), { name: 'once' }, { 'idempotency-key': 'once' });
  const [first, again] = [await create(), await create()];
  expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true']);
  expect(again.body).toEqual(first.body);
  expect((await acme.admin.get(environmentsOf(acme))).body['total_results']).toBe(1);
  const path = String(first.headers.get('location'));
  const answers = await a.atOnce(
    acme.id,
    [0, 1].map(() => () => acme.admin.delete(path)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
});

test('an environment is deleted or gets a deployment, not both; a starter makes another one', async () => {
  const acme = await a.tenant();
  const place = { cloud: 'cloud_a', region: 'us-east-1' };
  const made = async (name: string) => (await acme.admin.post(environmentsOf(acme), { name })).headers;
  const production = String((await made('production')).get('location'));
  const managed = { ...place, name: 'orders', tier: 'small', cluster: 'standalone' };
  const answers = await a.atOnce(acme.id, [
    () => acme.admin.delete(production),
    () => acme.admin.post(`${production}/deployments/managed`, managed),
  ]);
  expect([
    [204, 404],
    [409, 202],
  ]).toContainEqual(answers.map(({ status }) => status));

  const sandbox = await made('sandbox');
  const starter = `${acme.path}/divisions/${acme.division}/deployments/starter`;
  const [deleted, started] = await a.atOnce(acme.id, [
    () => acme.admin.delete(String(sandbox.get('location'))),
    () => acme.admin.post(starter, place),
  ]);
  expect([deleted?.status, started?.status]).toEqual([
    started?.headers.get('svc-environment') === sandbox.get('svc-environment') ? 409 : 204,
    202,
  ]);
});

test('names are unique in a division in any case, and free in another', async () => {
  const acme = await a.tenant();
  const other = String((await acme.admin.post(`${acme.path}/divisions`, { name: 'two' })).body['id']);
  expect((await acme.admin.post(environmentsOf(acme), { name: 'Production' })).status).toBe(201);
  expect(refusal(await acme.admin.post(environmentsOf(acme), { name: 'production' }))).toEqual([
    409,
    'name_taken',
  ]);
  expect(
    (await acme.admin.post(`${acme.path}/divisions/${other}/environments`, { name: 'production' })).status,
  ).toBe(201);
});

test('an environment is found in its own division only', async () => {
  const acme = await a.tenant();
  const other = String((await acme.admin.post(`${acme.path}/divisions`, { name: 'two' })).body['id']);
  const id = String((await acme.admin.post(environmentsOf(acme), { name: 'production' })).body['id']);
  const elsewhere = `${acme.path}/divisions/${other}/environments/${id}`;
  expect((await acme.admin.get(elsewhere)).status).toBe(404);
  expect((await acme.admin.put(elsewhere, { name: 'x' })).status).toBe(404);
  expect((await acme.admin.delete(elsewhere)).status).toBe(404);
  expect((await acme.admin.get(`${elsewhere}/deployments`)).status).toBe(404);
});

test('a protected environment is deleted with a code only, and only the owner lowers it', async () => {
  const acme = await a.tenant();
  const path = `${environmentsOf(acme)}/${String((await acme.admin.post(environmentsOf(acme), { name: 'p' })).body['id'])}`;
  const member = await acme.member({ division: ['environment:manage'] });
  expect((await member.put(path, { protected: true })).status).toBe(204);
  expect(refusal(await member.put(path, { protected: false }))).toEqual([403, 'owner_only']);
  expect(refusal(await acme.admin.delete(path))).toEqual([400, 'protection_code_required']);
  expect(refusal(await acme.admin.delete(`${path}?code=00000000`))).toEqual([400, 'protection_code_invalid']);
});

test('lists leave out the environments that an override hides, and show those that one opens', async () => {
  const acme = await a.tenant();
  const ids = [];
  for (const name of ['one', 'two'])
    ids.push(Number((await acme.admin.post(environmentsOf(acme), { name })).body['id']));
  const [one = 0, two = 0] = ids;
  const reader = await acme.with({
    division: ['environment:read'],
    divisions: { [acme.division]: { environments: { [one]: [] } } },
  });
  const seen = await reader.get(environmentsOf(acme));
  expect([itemsOf(seen).map(({ id }) => id), seen.body['total_results']]).toEqual([[two], 1]);
  expect((await reader.get(`${environmentsOf(acme)}/${one}`)).status).toBe(404);
});

test('a key that is bound to a division sees nothing outside of it', async () => {
  const acme = await a.tenant();
  const other = String((await acme.admin.post(`${acme.path}/divisions`, { name: 'two' })).body['id']);
  const bound = await acme.with({ tenant: ['info:read'], division: ['environment:manage'] }, acme.division);
  expect((await bound.post(environmentsOf(acme), { name: 'mine' })).status).toBe(201);
  expect((await bound.get(`${acme.path}/divisions/${other}/environments`)).status).toBe(403);
  expect((await bound.get(acme.path)).status).toBe(403);
  expect((await client(replica.url).get(environmentsOf(acme))).status).toBe(401);
});

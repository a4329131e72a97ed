import { client, eventually } from '@sluice/testing';
import { itemsOf, limitReached, mainApi, refusal, sendTwice } from '#test/main-api.ts';
import { small } from '#test/deployments.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi({ replicas: 1 });
const replica = on.replica();
const region = on.region();
const a = on.tenants();

const environmentsOf = (tenant: TestTenant) => `${tenant.divisionPath}/environments`;

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
  expect(region.eventsOf('environment_updated', { environment: id })).toHaveLength(2);

  const deleted = await acme.admin.delete(path);
  expect(deleted.status).toBe(204);
  expect(await region.event('environment_deleted', deleted.headers)).toMatchObject(about);
  expect((await acme.admin.get(path)).status).toBe(404);
});

test('the regions of its deployments get the new name of an environment', async () => {
  const acme = await a.tenant();
  const starter = await acme.starter();
  const path = `${environmentsOf(acme)}/${starter.headers.get('svc-environment')}`;
  const renamed = await acme.admin.put(path, { name: 'playground' });
  await region.event('environment_updated', renamed.headers);
  // events and commands are sent each for themselves
  await eventually(async () => {
    const { generation, deployment } = await region.shape(Number(starter.body['id']));
    expect([generation, deployment.environment.name]).toEqual([2, 'playground']);
  });
});

test('an environment that a starter creates counts as any other', async () => {
  const acme = await a.tenant({ plan: 'basic' });
  for (const name of ['one', 'two']) await acme.admin.post(environmentsOf(acme), { name });
  expect((await acme.starter()).body).toMatchObject(limitReached('environments_per_division_limit', 2));
  expect((await acme.admin.get(environmentsOf(acme))).body['total_results']).toBe(2);
});

test('an environment is created once by the same idempotency key, and deleted once when that is asked twice', async () => {
  const acme = await a.tenant();
  const [first] = await sendTwice(acme.admin, 'POST', environmentsOf(acme), { name: 'once' });
  expect((await acme.admin.get(environmentsOf(acme))).body['total_results']).toBe(1);
  const path = String(first.headers.get('location'));
  expect(await acme.race((to) => to.delete(path))).toEqual(['204', '404 not_found']);
});

test('an environment is deleted or gets a deployment, not both; a starter makes another one', async () => {
  const acme = await a.tenant();
  const made = async (name: string) => (await acme.admin.post(environmentsOf(acme), { name })).headers;
  const production = String((await made('production')).get('location'));
  const answers = await a.atOnce(acme.id, [
    () => acme.admin.delete(production),
    () => acme.admin.post(`${production}/deployments/managed`, small),
  ]);
  expect([
    [204, 404],
    [409, 202],
  ]).toContainEqual(answers.map(({ status }) => status));

  const sandbox = await made('sandbox');
  const [deleted, started] = await a.atOnce(acme.id, [
    () => acme.admin.delete(String(sandbox.get('location'))),
    () => acme.starter(),
  ]);
  expect([deleted?.status, started?.status]).toEqual([
    started?.headers.get('svc-environment') === sandbox.get('svc-environment') ? 409 : 204,
    202,
  ]);
});

test('names are unique in a division, in any case of their letters, and free in another', async () => {
  const acme = await a.tenant();
  const other = await acme.add(`${acme.path}/divisions`, { name: 'two' });
  expect((await acme.admin.post(environmentsOf(acme), { name: 'Production' })).status).toBe(201);
  expect(refusal(await acme.admin.post(environmentsOf(acme), { name: 'production' }))).toBe('409 name_taken');
  expect(
    (await acme.admin.post(`${acme.path}/divisions/${other}/environments`, { name: 'production' })).status,
  ).toBe(201);
});

test('an environment is found in its own division only', async () => {
  const acme = await a.tenant();
  const other = await acme.add(`${acme.path}/divisions`, { name: 'two' });
  const id = await acme.add(environmentsOf(acme), { name: 'production' });
  const elsewhere = `${acme.path}/divisions/${other}/environments/${id}`;
  expect((await acme.admin.get(elsewhere)).status).toBe(404);
  expect((await acme.admin.put(elsewhere, { name: 'x' })).status).toBe(404);
  expect((await acme.admin.delete(elsewhere)).status).toBe(404);
  expect((await acme.admin.get(`${elsewhere}/deployments`)).status).toBe(404);
});

test('a protected environment is deleted with a code only, and only the owner lowers it', async () => {
  const acme = await a.tenant();
  const path = `${environmentsOf(acme)}/${await acme.add(environmentsOf(acme), { name: 'p' })}`;
  const member = await acme.member({ division: ['environment:manage'] });
  expect((await member.put(path, { protected: true })).status).toBe(204);
  expect(refusal(await member.put(path, { protected: false }))).toBe('403 owner_only');
  expect(refusal(await acme.admin.delete(path))).toBe('400 protection_code_required');
});

test('lists leave out the environments that an override hides, and show those that one opens', async () => {
  const acme = await a.tenant();
  const ids = [];
  for (const name of ['one', 'two']) ids.push(await acme.add(environmentsOf(acme), { name }));
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
  const other = await acme.add(`${acme.path}/divisions`, { name: 'two' });
  const bound = await acme.with({ tenant: ['info:read'], division: ['environment:manage'] }, acme.division);
  expect((await bound.post(environmentsOf(acme), { name: 'mine' })).status).toBe(201);
  expect((await bound.get(`${acme.path}/divisions/${other}/environments`)).status).toBe(403);
  expect((await bound.get(acme.path)).status).toBe(403);
  expect((await client(replica.url).get(environmentsOf(acme))).status).toBe(401);
});

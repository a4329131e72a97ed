import { randomUUID } from 'node:crypto';
import { eventually } from '@sluice/testing';
import { fieldIssues, itemsOf, mainApi, refusal, sendTwice } from '#test/main-api.ts';
import { place, type TestTenant } from '#test/tenants.ts';

const on = mainApi();
const region = on.region();
const a = on.tenants();

/** for tests that leave its first division as it is */
let common: TestTenant;
beforeAll(async () => {
  common = await a.tenant({ overrides: { divisions_limit: 50 } });
});

describe('a division is created', () => {
  test('with its address, its id in the header, and an event', async () => {
    const acme = await a.tenant();
    const answer = await acme.admin.post(`${acme.path}/divisions`, {
      name: 'Ärzte & Co',
      description: 'Practices',
      email: 'team@example.com',
    });
    const id = Number(answer.body['id']);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`${acme.path}/divisions/${id}`);
    expect(answer.headers.get('svc-division')).toBe(String(id));
    expect(answer.body).toMatchObject({
      name: 'Ärzte & Co',
      description: 'Practices',
      email: 'team@example.com',
      protected: false,
    });
    const event = await region.event('division_created', answer.headers);
    expect(event).toMatchObject({
      tenant_id: acme.id,
      division: { id, name: 'Ärzte & Co' },
      author: { id: acme.owner.id },
      data: { name: 'Ärzte & Co' },
    });
    const path = `${acme.path}/divisions/${id}`;
    expect((await acme.admin.get(path)).body).toEqual(answer.body);
    const cleared = await acme.admin.put(path, { description: null, email: null });
    expect((await region.event('division_updated', cleared.headers)).data).toMatchObject({
      former: { description: 'Practices', email: 'team@example.com' },
    });
  });

  test.each([
    [{ name: '' }, '/body/name too_short'],
    [{ name: '  ' }, '/body/name wrong_format'],
    [{ name: ' team' }, '/body/name wrong_format'],
    [{ name: 'a\nb' }, '/body/name wrong_format'],
    [{ name: 'a\0b' }, '/body/name invalid_character'],
    [{ name: 'x'.repeat(101) }, '/body/name too_long'],
    [{}, '/body/name required'],
    [{ name: 7 }, '/body/name wrong_type'],
    [{ name: 'team', email: 'no address' }, '/body/email wrong_format'],
    [{ name: 'team', colour: 'red' }, '/body/colour unknown_field'],
  ])('not with %j', async (body, issue) => {
    expect(fieldIssues(await common.admin.post(`${common.path}/divisions`, body))).toContain(issue);
  });

  test('not under a name that is used, in any case of its letters', async () => {
    const taken = await common.admin.post(`${common.path}/divisions`, { name: 'DEFAULT' });
    expect(refusal(taken)).toBe('409 name_taken');
  });

  test('once by the same idempotency key, also when it was refused', async () => {
    const acme = await a.tenant({ plan: 'basic' });
    const path = `${acme.path}/divisions`;
    const [first, again] = await sendTwice(acme.admin, 'POST', path, { name: 'two' });
    expect(again.headers.get('svc-division')).toBe(first.headers.get('svc-division'));
    const create = () => acme.admin.request('POST', path, { name: 'three' }, { 'idempotency-key': 'b' });
    expect(refusal(await create())).toBe('409 limit_reached');
    await acme.admin.delete(String(first.headers.get('location')));
    const replayed = await create();
    expect([refusal(replayed), replayed.headers.get('idempotent-replayed')]).toEqual([
      '409 limit_reached',
      'true',
    ]);
    expect((await acme.admin.get(path)).body['total_results']).toBe(1);
    expect((await acme.admin.post(path, { name: 'three' })).status).toBe(201);
  });

  test('once, when two replicas are asked for the same name at once', async () => {
    const create = () => common.race((to) => to.post(`${common.path}/divisions`, { name: 'same' }));
    expect(await create()).toEqual(['201', '409 name_taken']);
  });
});

describe('a division is changed', () => {
  test('in the fields that are given, and the event names those that differ', async () => {
    const acme = await a.tenant();
    const path = acme.divisionPath;
    const answer = await acme.admin.put(path, { name: 'default', description: 'The first', email: null });
    expect(answer.status).toBe(204);
    expect((await acme.admin.get(path)).body).toMatchObject({
      name: 'default',
      description: 'The first',
      email: null,
    });
    const event = await region.event('division_updated', answer.headers);
    expect(event.data).toEqual({ changes: { description: 'The first' }, former: { description: null } });
  });

  test('without an event when nothing differs', async () => {
    const acme = await a.tenant();
    const path = acme.divisionPath;
    const same = await acme.admin.put(path, { name: 'default', protected: null });
    const empty = await acme.admin.put(path, {});
    expect([same.status, empty.status]).toEqual([204, 204]);
    const next = await acme.admin.put(path, { name: 'renamed' });
    // events of a tenant come in order: the second is here, so the first would be
    await region.event('division_updated', next.headers);
    expect(region.eventsOfRequests(same.headers, empty.headers)).toEqual([]);
  });

  test('and null clears its description and its address, and nothing else', async () => {
    const acme = await a.tenant();
    const path = acme.divisionPath;
    await acme.admin.put(path, { description: 'd', email: 'd@example.com', protected: true });
    const cleared = { description: null, email: null };
    const answer = await acme.admin.put(path, { ...cleared, name: null, protected: null });
    expect(answer.status).toBe(204);
    expect((await acme.admin.get(path)).body).toMatchObject({ ...cleared, name: 'default', protected: true });
    expect((await region.event('division_updated', answer.headers)).data).toEqual({
      changes: cleared,
      former: { description: 'd', email: 'd@example.com' },
    });
  });

  test('not with an unknown body, nor to a name that is used', async () => {
    const acme = await a.tenant();
    const path = acme.divisionPath;
    await acme.admin.post(`${acme.path}/divisions`, { name: 'other' });
    expect(refusal(await acme.admin.put(path, { nmae: 'typo' }))).toBe('400 unknown_field');
    expect(refusal(await acme.admin.put(path, { name: 'Other' }))).toBe('409 name_taken');
  });

  test('and the regions of its deployments get its new name', async () => {
    const acme = await a.tenant();
    const path = acme.divisionPath;
    const starter = await acme.starter();
    const id = Number(starter.body['id']);
    expect((await region.shape(id)).generation).toBe(1);
    const renamed = await acme.admin.put(path, { name: 'renamed' });
    await region.event('division_updated', renamed.headers);
    const other = await acme.admin.put(path, { description: 'for no region' });
    await region.event('division_updated', other.headers);
    // events and commands are sent each for themselves
    await eventually(async () => {
      const { generation, deployment } = await region.shape(id);
      expect([generation, deployment.division.name]).toEqual([2, 'renamed']);
    });
  });
});

test('a division is protected by its managers, lowered by the owner alone, and deleted with a code', async () => {
  const acme = await a.tenant();
  const path = acme.divisionPath;
  const member = await acme.member({ tenant: ['division:manage'] });
  expect((await member.put(path, { protected: true })).status).toBe(204);
  expect(refusal(await member.put(path, { protected: false }))).toBe('403 owner_only');
  expect(refusal(await acme.admin.delete(path))).toBe('400 protection_code_required');
  expect((await acme.admin.put(path, { protected: false })).status).toBe(204);
});

describe('a division is deleted', () => {
  test('with its environments and its keys, which are refused from then on', async () => {
    const acme = await a.tenant();
    const path = acme.divisionPath;
    await acme.admin.post(`${path}/environments`, { name: 'production' });
    const bound = await acme.with({ division: ['environment:read'] }, acme.division);
    expect((await bound.get(`${path}/environments`)).status).toBe(200);

    const answer = await acme.admin.delete(path);
    expect(answer.status).toBe(204);
    expect(refusal(await bound.get(`${path}/environments`))).toBe('401 unauthenticated');
    expect((await acme.admin.get(path)).status).toBe(404);
    await region.event('division_deleted', answer.headers);
    expect((await region.event('environment_deleted', answer.headers)).environment?.name).toBe('production');
    expect((await region.event('api_key_deleted', answer.headers)).division?.id).toBe(acme.division);
  });

  test('not while it has deployments', async () => {
    const acme = await a.tenant();
    const path = acme.divisionPath;
    const starter = await acme.starter();
    expect(refusal(await acme.admin.delete(path))).toBe('409 has_deployments');
    const environment = `${path}/environments/${starter.headers.get('svc-environment')}`;
    expect(refusal(await acme.admin.delete(environment))).toBe('409 has_deployments');
  });

  test('or gets a deployment, not both', async () => {
    const acme = await a.tenant();
    const path = acme.divisionPath;
    const outcome = await acme.race((to, position) =>
      position ? to.post(`${path}/deployments/starter`, place) : to.delete(path),
    );
    expect([
      ['204', '404 not_found'],
      ['202', '409 has_deployments'],
    ]).toContainEqual(outcome);
  });

  test("only once, and not when it is another tenant's", async () => {
    const [acme, other] = [await a.tenant(), await a.tenant()];
    const foreign = `${acme.path}/divisions/${other.division}`;
    expect((await acme.admin.delete(foreign)).status).toBe(404);
    expect((await acme.admin.put(foreign, { name: 'mine' })).status).toBe(404);
    expect((await other.admin.get(other.divisionPath)).body).toMatchObject({ name: 'default' });
    expect((await acme.admin.delete(acme.divisionPath)).status).toBe(204);
    expect((await acme.admin.delete(acme.divisionPath)).status).toBe(404);
  });

  test('once, when two replicas are asked at once', async () => {
    const acme = await a.tenant();
    const path = acme.divisionPath;
    expect(await acme.race((caller) => caller.delete(path))).toEqual(['204', '404 not_found']);
    const last = await acme.admin.post(`${acme.path}/divisions`, { name: 'later' });
    await region.event('division_created', last.headers);
    expect(region.eventsOf('division_deleted', { division: acme.division })).toHaveLength(1);
  });

  test('with what roles say of it', async () => {
    const acme = await a.tenant();
    const permissions = { divisions: { [acme.division]: { permissions: ['info:read'] } } };
    const role = await acme.admin.post(`${acme.path}/roles`, { name: 'in one', permissions });
    await acme.admin.delete(acme.divisionPath);
    const { body } = await acme.admin.get(`${acme.path}/roles/${String(role.body['id'])}`);
    expect(body['permissions']).toMatchObject({ divisions: {} });
  });
});

describe('the list of divisions', () => {
  test('shows the newest first, page by page, and leaves out what an override hides', async () => {
    const acme = await a.tenant();
    const created = [];
    for (const name of ['one', 'two', 'three'])
      created.push(await acme.add(`${acme.path}/divisions`, { name }));
    const [one = 0, two = 0, three = 0] = created;
    const reader = await acme.with({
      tenant: ['division:read'],
      divisions: { [two]: { permissions: [], environment: [], environments: {} } },
    });
    const first = await reader.get(`${acme.path}/divisions?results=2`);
    expect(itemsOf(first).map(({ id }) => id)).toEqual([three, one]);
    expect(first.body).toMatchObject({ page: 1, total_results: 3, total_pages: 2 });
    const last = await reader.get(`${acme.path}/divisions?results=2&page=2`);
    expect(itemsOf(last).map(({ id }) => id)).toEqual([acme.division]);
    expect(itemsOf(await reader.get(`${acme.path}/divisions?page=99`))).toEqual([]);
    expect((await reader.get(`${acme.path}/divisions/${two}`)).status).toBe(404);
  });

  test.each(['results=101', 'results=0', 'page=0', 'page=x', 'colour=red'])('refuses ?%s', async (query) => {
    expect((await common.admin.get(`${common.path}/divisions?${query}`)).status).toBe(400);
  });
});

test.each([
  ['a division', '', (id: number, info: string) => ({ divisions: { [id]: { permissions: [info] } } })],
  [
    'an environment',
    'environments',
    (id: number, info: string, division: number) => ({
      divisions: { [division]: { environments: { [id]: [info] } } },
    }),
  ],
])('the info of %s opens it to be read and changed, that one alone', async (_what, under, only) => {
  const list = under ? `${common.divisionPath}/${under}` : `${common.path}/divisions`;
  const [id, other] = [
    await common.add(list, { name: randomUUID() }),
    await common.add(list, { name: randomUUID() }),
  ];
  const reader = await common.with(only(id, 'info:read', common.division));
  expect((await reader.get(`${list}/${id}`)).body['id']).toBe(id);
  const manager = await common.with(only(id, 'info:manage', common.division));
  expect((await manager.put(`${list}/${id}`, { description: 'd' })).status).toBe(204);
  for (const refused of [
    await reader.put(`${list}/${id}`, { name: 'x' }),
    await reader.get(`${list}/${other}`),
    await reader.get(list),
    await manager.put(`${list}/${other}`, { description: 'd' }),
    await manager.delete(`${list}/${id}`),
  ])
    expect(refusal(refused)).toBe('403 forbidden');
});

test('a key of a division reads its division, its environments, its numbers and the catalogue, and no other', async () => {
  const acme = await a.tenant();
  const other = await acme.add(`${acme.path}/divisions`, { name: 'other' });
  const at = (id: number) => `${acme.path}/divisions/${id}`;
  await acme.admin.post(`${at(acme.division)}/environments`, { name: 'mine' });
  await acme.admin.post(`${at(other)}/environments`, { name: 'theirs' });
  const key = await acme.with({ environment: ['deployment:read'] }, acme.division);
  const names = async (path: string) => itemsOf(await key.get(path)).map(({ name }) => name);
  expect(await names(`${acme.path}/divisions`)).toEqual(['default']);
  expect((await key.get(at(acme.division))).body['name']).toBe('default');
  expect(await names(`${at(acme.division)}/environments`)).toEqual(['mine']);
  expect((await key.get(`${acme.path}/summary`)).body).toEqual({
    total_divisions: 1,
    total_environments: 1,
    total_deployments: 0,
  });
  expect((await key.get(`${acme.path}/structure`)).body).toMatchObject({ divisions: [{ name: 'default' }] });
  expect((await key.get(`${acme.path}/clouds`)).status).toBe(200);
  for (const path of [acme.path, at(other), `${at(other)}/environments`, `${acme.path}/members`])
    expect(refusal(await key.get(path))).toBe('403 forbidden');
  expect(refusal(await key.put(at(acme.division), { name: 'x' }))).toBe('403 forbidden');
});

describe("a division's subdomain", () => {
  const withDomain = async (domain = `${randomUUID()}.test`) => {
    const acme = await a.tenant();
    await on.sql('UPDATE tenants SET email_domain = $2 WHERE id = $1', [acme.id, domain]);
    return { ...acme, at: acme.divisionPath };
  };
  const subdomainIssues = async ({ admin, at }: Awaited<ReturnType<typeof withDomain>>, subdomain: string) =>
    fieldIssues(await admin.put(at, { email_subdomain: subdomain }));

  test('is shown in lower case, belongs to one division of the tenant, and null clears it', async () => {
    const [acme, other] = [await withDomain(), await withDomain()];
    const answer = await acme.admin.put(acme.at, { email_subdomain: 'Eng.EU' });
    expect([answer.status, (await acme.admin.get(acme.at)).body['email_subdomain']]).toEqual([204, 'eng.eu']);
    expect((await region.event('division_updated', answer.headers)).data).toEqual({
      changes: { email_subdomain: 'eng.eu' },
      former: { email_subdomain: null },
    });
    const divisions = `${acme.path}/divisions`;
    const taken = { name: 'second', email_subdomain: 'ENG.eu' };
    expect(refusal(await acme.admin.post(divisions, taken))).toBe('409 name_taken');
    expect((await other.admin.put(other.at, { email_subdomain: 'eng.eu' })).status).toBe(204);
    await acme.admin.put(acme.at, { email_subdomain: null });
    expect((await acme.admin.get(acme.at)).body['email_subdomain']).toBeNull();
    const made = await acme.admin.post(divisions, taken);
    expect([made.status, made.body['email_subdomain']]).toEqual([201, 'eng.eu']);
    expect(refusal(await acme.admin.put(acme.at, { email_subdomain: 'eng.eu' }))).toBe('409 name_taken');
  });

  test('needs a domain of the tenant', async () => {
    const { admin, path, divisionPath } = common;
    for (const answer of [
      await admin.post(`${path}/divisions`, { name: 'd', email_subdomain: 'eng' }),
      await admin.put(divisionPath, { email_subdomain: 'eng' }),
    ])
      expect(refusal(answer)).toBe('400 tenant_has_no_email_domain');
    expect((await admin.put(divisionPath, { email_subdomain: null })).status).toBe(204);
  });

  test('is a name of hosts, and makes no domain that is too long', async () => {
    const acme = await withDomain();
    for (const subdomain of ['', '.', 'eng.', '-eng', 'e_g', 'ünder', 'a..b', 'a'.repeat(64)])
      expect([subdomain, await subdomainIssues(acme, subdomain)]).toEqual([
        subdomain,
        expect.arrayContaining([expect.stringContaining('/body/email_subdomain')]),
      ]);
    const long = await withDomain(`${randomUUID()}.${'d'.repeat(60)}.test`);
    const three = Array(3).fill('a'.repeat(60)).join('.');
    expect(await subdomainIssues(long, three)).toEqual(['/body/email_subdomain too_long']);
  });
});

import { randomUUID } from 'node:crypto';
import { client, eventually } from '@sluice/testing';
import { fieldIssues, itemsOf, mainApi, refusal } from '#test/main-api.ts';

const on = mainApi();
const second = on.replica(1);
const region = on.region();
const a = on.tenants();

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
    ['an empty name', { name: '' }, '/body/name', 'too_short'],
    ['a name of spaces', { name: '  ' }, '/body/name', 'wrong_format'],
    ['surrounding spaces', { name: ' team' }, '/body/name', 'wrong_format'],
    ['a line break', { name: 'a\nb' }, '/body/name', 'wrong_format'],
    ['a NUL character', { name: 'a\0b' }, '/body/name', 'invalid_character'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, '/body/name', 'too_long'],
    ['no name', {}, '/body/name', 'required'],
    ['a number for a name', { name: 7 }, '/body/name', 'wrong_type'],
    ['something else than an address', { name: 'team', email: 'nobody' }, '/body/email', 'wrong_format'],
    ['an unknown field', { name: 'team', colour: 'red' }, '/body/colour', 'unknown_field'],
  ])('not with %s', async (_case, body, path, code) => {
    const acme = await a.tenant();
    const answer = await acme.admin.post(`${acme.path}/divisions`, body);
    expect(answer.status).toBe(400);
    expect(fieldIssues(answer)).toContain(`${path} ${code}`);
  });

  test('not under a name that is used in any case', async () => {
    const acme = await a.tenant();
    expect(refusal(await acme.admin.post(`${acme.path}/divisions`, { name: 'DEFAULT' }))).toEqual([
      409,
      'name_taken',
    ]);
  });

  test('not by somebody who may only read', async () => {
    const acme = await a.tenant();
    const reader = await acme.with({ tenant: ['division:read'] });
    expect(refusal(await reader.post(`${acme.path}/divisions`, { name: 'team' }))).toEqual([
      403,
      'forbidden',
    ]);
  });

  test('not beyond the limit of the plan, even when two replicas are asked for the last one at once', async () => {
    const acme = await a.tenant({ plan: 'basic' });
    const other = client(second.url, acme.key);
    const answers = await a.atOnce(
      acme.id,
      ['one', 'two', 'three', 'four'].map((name, position) => () => {
        const to = position % 2 ? other : acme.admin;
        return to.post(`${acme.path}/divisions`, { name });
      }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({
      code: 'limit_reached',
      limit: { name: 'divisions_limit', value: 2 },
    });
  });

  test('up to the limit of the plan, however many are asked for at once', async () => {
    const acme = await a.tenant({ plan: 'pro' });
    const other = client(second.url, acme.key);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, position) =>
        (position % 2 ? other : acme.admin).post(`${acme.path}/divisions`, { name: `d${position}` }),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    // the plan has five, of which one is there
    expect([answers.length - refused.length, refused.length]).toEqual([4, 46]);
    expect(
      new Set(refused.map(({ body }) => JSON.stringify([body['status'], body['code'], body['limit']]))),
    ).toEqual(new Set([JSON.stringify([409, 'limit_reached', { name: 'divisions_limit', value: 5 }])]));
    expect((await acme.admin.get(`${acme.path}/divisions`)).body['total_results']).toBe(5);
    const [last] = itemsOf(await acme.admin.get(`${acme.path}/divisions`));
    expect((await acme.admin.delete(`${acme.path}/divisions/${String(last?.['id'])}`)).status).toBe(204);
    expect((await acme.admin.post(`${acme.path}/divisions`, { name: 'room again' })).status).toBe(201);
  });

  test('once by the same idempotency key, also when it was refused', async () => {
    const acme = await a.tenant({ plan: 'basic' });
    const create = (name: string, key: string) =>
      acme.admin.request('POST', `${acme.path}/divisions`, { name }, { 'idempotency-key': key });
    const [first, again] = [await create('two', 'a'), await create('two', 'a')];
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      201,
      'true',
    ]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('svc-division')).toBe(first.headers.get('svc-division'));
    expect(refusal(await create('three', 'b'))).toEqual([409, 'limit_reached']);
    await acme.admin.delete(String(first.headers.get('location')));
    const replayed = await create('three', 'b');
    expect([...refusal(replayed), replayed.headers.get('idempotent-replayed')]).toEqual([
      409,
      'limit_reached',
      'true',
    ]);
    expect((await acme.admin.get(`${acme.path}/divisions`)).body['total_results']).toBe(1);
  });

  test('once, when two replicas are asked for the same name at once', async () => {
    const acme = await a.tenant();
    const other = client(second.url, acme.key);
    const answers = await Promise.all(
      [acme.admin, other].map((to) => to.post(`${acme.path}/divisions`, { name: 'same' })),
    );
    expect(answers.map(refusal).sort()).toEqual([
      [201, undefined],
      [409, 'name_taken'],
    ]);
  });
});

describe('a division is changed', () => {
  test('in the fields that are given, and the event names those that differ', async () => {
    const acme = await a.tenant();
    const path = `${acme.path}/divisions/${acme.division}`;
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
    const path = `${acme.path}/divisions/${acme.division}`;
    const same = await acme.admin.put(path, { name: 'default', protected: null });
    const empty = await acme.admin.put(path, {});
    expect([same.status, empty.status]).toEqual([204, 204]);
    const next = await acme.admin.put(path, { name: 'renamed' });
    // events of a tenant come in order: the second is here, so the first would be
    await region.event('division_updated', next.headers);
    const requests = [same, empty].map(({ headers }) => headers.get('svc-request'));
    expect(
      region.events.filter(({ correlation_id }) =>
        requests.includes(correlation_id?.replaceAll('-', '') ?? ''),
      ),
    ).toEqual([]);
  });

  test('and null clears its description and its address, and nothing else', async () => {
    const acme = await a.tenant();
    const path = `${acme.path}/divisions/${acme.division}`;
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
    const path = `${acme.path}/divisions/${acme.division}`;
    await acme.admin.post(`${acme.path}/divisions`, { name: 'other' });
    expect(refusal(await acme.admin.put(path, { nmae: 'typo' }))).toEqual([400, 'unknown_field']);
    expect(refusal(await acme.admin.put(path, { name: 'Other' }))).toEqual([409, 'name_taken']);
  });

  test('with a word to the regions of its deployments when it gets another name', async () => {
    const acme = await a.tenant();
    const path = `${acme.path}/divisions/${acme.division}`;
    const starter = await acme.admin.post(`${path}/deployments/starter`, {
      cloud: 'cloud_a',
      region: 'us-east-1',
    });
    const id = Number(starter.body['id']);
    expect((await region.shape(id)).generation).toBe(1);
    const renamed = await acme.admin.put(path, { name: 'renamed' });
    await region.event('division_updated', renamed.headers);
    const other = await acme.admin.put(path, { description: 'needs no word' });
    await region.event('division_updated', other.headers);
    // events and commands are sent each for themselves
    await eventually(async () => {
      const { generation, deployment } = await region.shape(id);
      expect([generation, deployment.division.name]).toEqual([2, 'renamed']);
    });
  });
});

describe('protection', () => {
  test('is raised by whoever may change the division, and lowered by the owner only', async () => {
    const acme = await a.tenant();
    const path = `${acme.path}/divisions/${acme.division}`;
    const member = await acme.member({ tenant: ['division:manage'] });
    expect((await member.put(path, { protected: true })).status).toBe(204);
    expect(refusal(await member.put(path, { protected: false }))).toEqual([403, 'owner_only']);
    expect((await acme.admin.put(path, { protected: false })).status).toBe(204);
  });

  test('makes a deletion need a code', async () => {
    const acme = await a.tenant();
    const path = `${acme.path}/divisions/${acme.division}`;
    await acme.admin.put(path, { protected: true });
    expect(refusal(await acme.admin.delete(path))).toEqual([400, 'protection_code_required']);
    expect(refusal(await acme.admin.delete(`${path}?code=12345678`))).toEqual([
      400,
      'protection_code_invalid',
    ]);
  });
});

describe('a division is deleted', () => {
  test('with its environments and its keys, which nobody accepts any more', async () => {
    const acme = await a.tenant();
    const path = `${acme.path}/divisions/${acme.division}`;
    await acme.admin.post(`${path}/environments`, { name: 'production' });
    const bound = await acme.with({ division: ['environment:read'] }, acme.division);
    expect((await bound.get(`${path}/environments`)).status).toBe(200);

    const answer = await acme.admin.delete(path);
    expect(answer.status).toBe(204);
    expect(refusal(await bound.get(`${path}/environments`))).toEqual([401, 'unauthenticated']);
    expect((await acme.admin.get(path)).status).toBe(404);
    await region.event('division_deleted', answer.headers);
    expect((await region.event('environment_deleted', answer.headers)).environment?.name).toBe('production');
    expect((await region.event('api_key_deleted', answer.headers)).division?.id).toBe(acme.division);
  });

  test('not while it has deployments', async () => {
    const acme = await a.tenant();
    const path = `${acme.path}/divisions/${acme.division}`;
    const starter = await acme.admin.post(`${path}/deployments/starter`, {
      cloud: 'cloud_a',
      region: 'us-east-1',
    });
    expect(refusal(await acme.admin.delete(path))).toEqual([409, 'has_deployments']);
    const environment = `${path}/environments/${starter.headers.get('svc-environment')}`;
    expect(refusal(await acme.admin.delete(environment))).toEqual([409, 'has_deployments']);
  });

  test('or gets a deployment, not both', async () => {
    const acme = await a.tenant();
    const path = `${acme.path}/divisions/${acme.division}`;
    const [deleted, created] = await Promise.all([
      acme.admin.delete(path),
      client(second.url, acme.key).post(`${path}/deployments/starter`, {
        cloud: 'cloud_a',
        region: 'us-east-1',
      }),
    ]);
    expect([
      [204, 404],
      [409, 202],
    ]).toContainEqual([deleted.status, created.status]);
  });

  test("only once, and not when it is another tenant's", async () => {
    const [acme, other] = [await a.tenant(), await a.tenant()];
    const foreign = `${acme.path}/divisions/${other.division}`;
    expect((await acme.admin.delete(foreign)).status).toBe(404);
    expect((await acme.admin.put(foreign, { name: 'mine' })).status).toBe(404);
    expect((await other.admin.get(`${other.path}/divisions/${other.division}`)).body).toMatchObject({
      name: 'default',
    });
    expect((await acme.admin.delete(`${acme.path}/divisions/${acme.division}`)).status).toBe(204);
    expect((await acme.admin.delete(`${acme.path}/divisions/${acme.division}`)).status).toBe(404);
  });

  test('once, when two replicas are asked at once', async () => {
    const acme = await a.tenant();
    const path = `${acme.path}/divisions/${acme.division}`;
    const answers = await a.atOnce(
      acme.id,
      [acme.admin, client(second.url, acme.key)].map((to) => () => to.delete(path)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    const last = await acme.admin.post(`${acme.path}/divisions`, { name: 'later' });
    await region.event('division_created', last.headers);
    const deletions = region.events.filter(
      ({ type, division }) => type === 'division_deleted' && division?.id === acme.division,
    );
    expect(deletions).toHaveLength(1);
  });

  test('with what roles say of it: a number that comes again would not be seen', async () => {
    const acme = await a.tenant();
    const permissions = { divisions: { [acme.division]: { permissions: ['info:read'] } } };
    const role = await acme.admin.post(`${acme.path}/roles`, { name: 'in one', permissions });
    await acme.admin.delete(`${acme.path}/divisions/${acme.division}`);
    const { body } = await acme.admin.get(`${acme.path}/roles/${String(role.body['id'])}`);
    expect(body['permissions']).toMatchObject({ divisions: {} });
  });
});

describe('the list of divisions', () => {
  test('shows the newest first, page by page, and leaves out what an override hides', async () => {
    const acme = await a.tenant();
    const created = [];
    for (const name of ['one', 'two', 'three'])
      created.push(Number((await acme.admin.post(`${acme.path}/divisions`, { name })).body['id']));
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
    const acme = await a.tenant();
    expect((await acme.admin.get(`${acme.path}/divisions?${query}`)).status).toBe(400);
  });
});

describe('the info of a division', () => {
  test('opens it to be read and changed, that one alone', async () => {
    const acme = await a.tenant();
    const other = Number((await acme.admin.post(`${acme.path}/divisions`, { name: 'other' })).body['id']);
    const at = (id: number) => `${acme.path}/divisions/${id}`;
    const reader = await acme.with({ divisions: { [acme.division]: { permissions: ['info:read'] } } });
    expect((await reader.get(at(acme.division))).body['name']).toBe('default');
    expect(refusal(await reader.put(at(acme.division), { name: 'x' }))).toEqual([403, 'forbidden']);
    expect(refusal(await reader.get(at(other)))).toEqual([403, 'forbidden']);
    expect(refusal(await reader.get(`${acme.path}/divisions`))).toEqual([403, 'forbidden']);
    const manager = await acme.with({ divisions: { [acme.division]: { permissions: ['info:manage'] } } });
    expect((await manager.put(at(acme.division), { description: 'd' })).status).toBe(204);
    expect(refusal(await manager.put(at(other), { description: 'd' }))).toEqual([403, 'forbidden']);
    expect(refusal(await manager.delete(at(acme.division)))).toEqual([403, 'forbidden']);
  });

  test('of an environment does the same for that environment', async () => {
    const acme = await a.tenant();
    const path = `${acme.path}/divisions/${acme.division}/environments`;
    const id = Number((await acme.admin.post(path, { name: 'production' })).body['id']);
    const other = Number((await acme.admin.post(path, { name: 'other' })).body['id']);
    const inOne = (permission: string) => ({
      divisions: { [acme.division]: { environments: { [id]: [permission] } } },
    });
    const reader = await acme.with(inOne('info:read'));
    expect((await reader.get(`${path}/${id}`)).body['name']).toBe('production');
    expect(refusal(await reader.put(`${path}/${id}`, { name: 'x' }))).toEqual([403, 'forbidden']);
    expect(refusal(await reader.get(`${path}/${other}`))).toEqual([403, 'forbidden']);
    const manager = await acme.with(inOne('info:manage'));
    expect((await manager.put(`${path}/${id}`, { description: 'd' })).status).toBe(204);
    expect(refusal(await manager.put(`${path}/${other}`, { description: 'd' }))).toEqual([403, 'forbidden']);
  });
});

test('a key of a division reads its division, its environments, its numbers and the catalogue, and no other', async () => {
  const acme = await a.tenant();
  const other = Number((await acme.admin.post(`${acme.path}/divisions`, { name: 'other' })).body['id']);
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
    expect(refusal(await key.get(path))).toEqual([403, 'forbidden']);
  expect(refusal(await key.put(at(acme.division), { name: 'x' }))).toEqual([403, 'forbidden']);
});

describe("a division's subdomain", () => {
  const withDomain = async () => {
    const acme = await a.tenant();
    await a.sql('UPDATE tenants SET email_domain = $2 WHERE id = $1', [acme.id, `${randomUUID()}.test`]);
    return { ...acme, at: `${acme.path}/divisions/${acme.division}` };
  };

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
    expect(refusal(await acme.admin.post(divisions, taken))).toEqual([409, 'name_taken']);
    expect((await other.admin.put(other.at, { email_subdomain: 'eng.eu' })).status).toBe(204);
    await acme.admin.put(acme.at, { email_subdomain: null });
    expect((await acme.admin.get(acme.at)).body['email_subdomain']).toBeNull();
    const made = await acme.admin.post(divisions, taken);
    expect([made.status, made.body['email_subdomain']]).toEqual([201, 'eng.eu']);
    expect(refusal(await acme.admin.put(acme.at, { email_subdomain: 'eng.eu' }))).toEqual([
      409,
      'name_taken',
    ]);
  });

  test('needs a domain of the tenant', async () => {
    const acme = await a.tenant();
    const path = `${acme.path}/divisions`;
    const none = [400, 'tenant_has_no_email_domain'];
    expect(refusal(await acme.admin.post(path, { name: 'd', email_subdomain: 'eng' }))).toEqual(none);
    expect(refusal(await acme.admin.put(`${path}/${acme.division}`, { email_subdomain: 'eng' }))).toEqual(
      none,
    );
    expect((await acme.admin.put(`${path}/${acme.division}`, { email_subdomain: null })).status).toBe(204);
  });

  test.each(['', '.', 'eng.', '-eng', 'e_g', 'ünder', 'a..b', 'a'.repeat(64)])(
    'is not %j',
    async (subdomain) => {
      const acme = await withDomain();
      expect((await acme.admin.put(acme.at, { email_subdomain: subdomain })).status).toBe(400);
    },
  );

  test('makes no domain that is too long', async () => {
    const acme = await a.tenant();
    await a.sql('UPDATE tenants SET email_domain = $2 WHERE id = $1', [
      acme.id,
      `${randomUUID()}.${'d'.repeat(60)}.test`,
    ]);
    const answer = await acme.admin.put(`${acme.path}/divisions/${acme.division}`, {
      email_subdomain: Array(3).fill('a'.repeat(60)).join('.'),
    });
    expect([answer.status, fieldIssues(answer)]).toEqual([400, ['/body/email_subdomain too_long']]);
  });
});

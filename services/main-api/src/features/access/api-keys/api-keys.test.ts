import { isApiToken, type ApiKeyId } from '@sluice/contracts';
import { client, eventually } from '@sluice/testing';
import { fieldIssues, itemsOf, limitReached, mainApi, refusal } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi();
const [replica, second] = [on.replica(0), on.replica(1)];
const region = on.region();
const a = on.tenants();

const day = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString();
const keysOf = (tenant: TestTenant) => `${tenant.path}/api_keys`;
const divisionKeysOf = (tenant: TestTenant) => `${tenant.divisionPath}/api_keys`;

const aKey = (tenant: TestTenant, more: object = {}) => ({
  ...{ name: 'k', role_id: tenant.roles.viewer, expiry_at: inDays(1) },
  ...more,
});

let common: TestTenant;
beforeAll(async () => {
  common = await a.tenant({ overrides: { api_keys_limit: 50 } });
});

describe('a key is created', () => {
  test('and works on all replicas as soon as it is answered', async () => {
    const acme = await a.tenant();
    const body = { name: 'ci', role_id: acme.roles.viewer, expiry_at: inDays(30) };
    const answer = await acme.admin.post(keysOf(acme), body);
    const { id, token } = answer.body as { id: number; token: string };
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ id, name: 'ci', token, expiry_at: body.expiry_at });
    expect(isApiToken(token)).toBe(true);
    expect(answer.headers.get('svc-api-key')).toBe(String(id));
    expect(answer.headers.get('location')).toBe(`${keysOf(acme)}/${id}`);
    for (const { url } of [replica, second])
      expect((await client(url, token).get(`${acme.path}/divisions`)).status).toBe(200);
    expect(refusal(await client(second.url, token).post(`${acme.path}/divisions`, { name: 'x' }))).toBe(
      '403 forbidden',
    );
    const event = await region.event('api_key_created', answer.headers);
    expect(event.data).toEqual({ name: 'ci', role_id: acme.roles.viewer });
  });

  test('with permissions of its own, shown written out and never with its token', async () => {
    const acme = await a.tenant();
    const permissions = {
      environment: ['deployment:manage'],
      divisions: { [acme.division]: { permissions: ['info:read'], environment: [] } },
    };
    const { body } = await acme.admin.post(keysOf(acme), { name: 'own', permissions, expiry_at: inDays(1) });
    const shown = await acme.admin.get(`${keysOf(acme)}/${String(body['id'])}`);
    expect(shown.body).toMatchObject({
      name: 'own',
      role_name: 'own',
      user_id: acme.owner.id,
      division_id: null,
      validate_ip: false,
      allowed_ips: [],
      permissions: {
        tenant: [],
        division: [],
        environment: ['deployment:read', 'deployment:manage'],
        divisions: {
          [acme.division]: { name: 'default', permissions: ['info:read'], environment: [], environments: {} },
        },
      },
    });
    expect(JSON.stringify(shown.body)).not.toContain(String(body['token']));
    // its role is no role of the tenant's: it is neither listed nor found
    expect(itemsOf(await acme.admin.get(`${acme.path}/roles`)).map(({ name }) => name)).not.toContain('own');
    const role = `${acme.path}/roles/${String(shown.body['role_id'])}`;
    for (const answer of [
      await acme.admin.get(role),
      await acme.admin.get(`${role}/members`),
      await acme.admin.put(role, { name: 'mine' }),
      await acme.admin.put(`${role}/members/assign`, { members: [acme.owner.id] }),
      await acme.admin.delete(role),
    ])
      expect(refusal(answer)).toBe('404 not_found');
    const another = { name: 'another', role_id: shown.body['role_id'], expiry_at: inDays(1) };
    expect(fieldIssues(await acme.admin.post(keysOf(acme), another))).toEqual(['/body/role_id unknown']);
  });

  test.each([
    [{}, '/body/role_id required'],
    [{ role_id: 1, permissions: {} }, '/body/permissions not_together'],
    [{ permissions: { tenant: ['everything'] } }, '/body/permissions/tenant/0 not_allowed'],
    [{ permissions: { tennant: [] } }, '/body/permissions/tennant unknown_field'],
    [{ permissions: { divisions: { 999999: {} } } }, '/body/permissions/divisions/999999 unknown'],
    [{ role_id: 1, expiry_at: inDays(-1) }, '/body/expiry_at too_small'],
    [{ role_id: 1, expiry_at: inDays(366) }, '/body/expiry_at too_large'],
    [{ role_id: 1, expiry_at: 'tomorrow' }, '/body/expiry_at wrong_format'],
    [{ role_id: 1, allowed_ips: ['10.0.0.1'] }, '/body/allowed_ips not_together'],
    [{ role_id: 1, validate_ip: true }, '/body/allowed_ips required'],
    [
      { role_id: 1, validate_ip: true, allowed_ips: ['10.0.0.0/8', 'localhost'] },
      '/body/allowed_ips/1 wrong_format',
    ],
    [{ role_id: 1, validate_ip: true, allowed_ips: ['10.0.0.0/33'] }, '/body/allowed_ips/0 wrong_format'],
  ])('not with %j', async (fields, issue) => {
    const answer = await common.admin.post(keysOf(common), { name: 'k', expiry_at: inDays(1), ...fields });
    expect(fieldIssues(answer)).toContain(issue);
  });

  test('not for the role or the division of another tenant', async () => {
    const [acme, other] = [await a.tenant(), await a.tenant()];
    const body = { name: 'k', expiry_at: inDays(1), role_id: other.roles.viewer };
    const issuesOf = async (input: object) => fieldIssues(await acme.admin.post(keysOf(acme), input));
    expect(await issuesOf(body)).toEqual(['/body/role_id unknown']);
    const elsewhere = { ...body, role_id: acme.roles.viewer, division_id: other.division };
    expect(await issuesOf(elsewhere)).toEqual(['/body/division_id unknown']);
    const nowhere = `${acme.path}/divisions/999999/api_keys`;
    expect((await acme.admin.post(nowhere, { ...body, role_id: acme.roles.viewer })).status).toBe(404);
  });

  test('not with more than the caller holds', async () => {
    const acme = await a.tenant();
    const caller = await acme.with({ tenant: ['api_key:manage', 'info:read'] });
    const body = { name: 'k', expiry_at: inDays(1) };
    const admin = { ...body, role_id: acme.roles.admin };
    expect(refusal(await caller.post(keysOf(acme), admin))).toBe('403 privilege_escalation');
    const more = { ...body, permissions: { tenant: ['info:manage'] } };
    expect(refusal(await caller.post(keysOf(acme), more))).toBe('403 privilege_escalation');
    expect(
      (await caller.post(keysOf(acme), { ...body, permissions: { tenant: ['info:read'] } })).status,
    ).toBe(201);
  });

  test('not beyond the limits of the plan, which count live keys only', async () => {
    const acme = await a.tenant({ plan: 'basic' });
    const body = (name: string) => aKey(acme, { name });
    for (const name of ['two', 'three'])
      expect((await acme.admin.post(keysOf(acme), body(name))).status).toBe(201);
    expect((await acme.admin.post(keysOf(acme), body('four'))).body).toMatchObject(
      limitReached('api_keys_limit', 3),
    );
    await on.sql(
      "UPDATE api_keys SET expiry_at = now() - interval '1 second' WHERE tenant_id = $1 AND name = 'two'",
      [acme.id],
    );
    const allowed_ips = [1, 2, 3, 4, 5, 6].map((last) => `192.0.2.${last}`);
    const addresses = { validate_ip: true, allowed_ips };
    expect((await acme.admin.post(keysOf(acme), { ...body('four'), ...addresses })).body).toMatchObject(
      limitReached('api_key_allowed_ips_limit', 5),
    );
    expect((await acme.admin.post(keysOf(acme), body('four'))).status).toBe(201);
  });

  test('under a name that no key of its scope has', async () => {
    const acme = await a.tenant();
    const body = aKey(acme, { name: 'ci' });
    expect((await acme.admin.post(keysOf(acme), body)).status).toBe(201);
    expect(refusal(await acme.admin.post(keysOf(acme), { ...body, name: 'CI' }))).toBe('409 name_taken');
    expect((await acme.admin.post(divisionKeysOf(acme), body)).status).toBe(201);
  });
});

describe('a key is accepted', () => {
  test('from its addresses only', async () => {
    const acme = await a.tenant();
    const make = async (keys: string, name: string, allowed_ips: string[]) => {
      const body = aKey(acme, { name, validate_ip: true, allowed_ips });
      return client(replica.url, String((await acme.admin.post(keys, body)).body['token']));
    };
    const division = acme.divisionPath;
    for (const [keys, path] of [
      [keysOf(acme), acme.path],
      [divisionKeysOf(acme), division],
    ] as const) {
      expect((await (await make(keys, 'here', ['127.0.0.0/8', '::1'])).get(path)).status).toBe(200);
      const there = await make(keys, 'there', ['192.0.2.0/24']);
      expect(refusal(await there.get(path))).toBe('403 ip_not_allowed');
    }
  });

  test('in the division that its body names, as one that is made there, and in no other', async () => {
    const acme = await a.tenant();
    const other = await acme.add(`${acme.path}/divisions`, { name: 'other' });
    const body = aKey(acme, { role_id: acme.roles.admin, division_id: acme.division });
    const made = await acme.admin.post(keysOf(acme), body);
    expect(itemsOf(await acme.admin.get(divisionKeysOf(acme))).map(({ id }) => id)).toEqual([
      made.body['id'],
    ]);
    const bound = client(replica.url, String(made.body['token']));
    expect((await bound.get(`${acme.divisionPath}/environments`)).status).toBe(200);
    for (const path of [acme.path, `${acme.path}/divisions/${other}/environments`])
      expect(refusal(await bound.get(path))).toBe('403 forbidden');
  });

  test('as its owner only when it has the role admin, and not for one division', async () => {
    const acme = await a.tenant();
    const path = acme.divisionPath;
    await acme.admin.put(path, { protected: true });
    const everything = await acme.with({ tenant: ['division:manage'] });
    expect(refusal(await everything.put(path, { protected: false }))).toBe('403 owner_only');
    const body = { name: 'bound', role_id: acme.roles.admin, expiry_at: inDays(1) };
    const bound = client(
      replica.url,
      String((await acme.admin.post(divisionKeysOf(acme), body)).body['token']),
    );
    expect((await bound.get(acme.path)).status).toBe(403);
    const environments = `${path}/environments`;
    const environment = `${environments}/${String((await bound.post(environments, { name: 'e' })).body['id'])}`;
    expect((await bound.put(environment, { protected: true })).status).toBe(204);
    expect(refusal(await bound.put(environment, { protected: false }))).toBe('403 owner_only');
  });

  test('and was never used later than now, also where a region or the database has a later time', async () => {
    const acme = await a.tenant();
    const used = async () =>
      Date.parse(String((await acme.admin.get(`${keysOf(acme)}/context`)).body['last_used_at']));
    const { id } = (await acme.admin.get(`${keysOf(acme)}/context`)).body as { id: ApiKeyId };
    const report = async (used_at: string) => {
      await region.report('api_keys_used', { uses: [{ id, used_at }] });
    };
    // a use is passed over while another one is being stored
    await eventually(async () => {
      await report('2999-01-01T00:00:00.000Z');
      expect(await used()).toBeLessThanOrEqual(Date.now());
    });
    await on.sql("UPDATE api_keys SET last_used_at = '2999-01-01' WHERE id = $1", [id]);
    await eventually(async () => {
      await report(new Date().toISOString());
      expect(await used()).toBeLessThanOrEqual(Date.now());
    });
  });
});

describe('a key is deleted', () => {
  test('and refused by every replica on the next request', async () => {
    const acme = await a.tenant();
    const body = { name: 'ci', permissions: { tenant: ['info:read'] }, expiry_at: inDays(1) };
    for (let round = 0; round < 5; round++) {
      const { id, token } = (await acme.admin.post(keysOf(acme), body)).body as { id: number; token: string };
      expect((await client(second.url, token).get(acme.path)).status).toBe(200);
      const deleted = await acme.admin.delete(`${keysOf(acme)}/${id}`);
      expect(deleted.status).toBe(204);
      for (const { url } of [replica, second])
        expect(refusal(await client(url, token).get(acme.path))).toBe('401 unauthenticated');
      expect((await region.event('api_key_deleted', deleted.headers)).data).toMatchObject({ name: 'ci' });
      expect((await acme.admin.delete(`${keysOf(acme)}/${id}`)).status).toBe(404);
    }
  });

  test('in its own division only', async () => {
    const acme = await a.tenant();
    const make = (name: string) => aKey(acme, { name });
    const ofTenant = await acme.add(keysOf(acme), make('tenant'));
    const ofDivision = await acme.add(divisionKeysOf(acme), make('division'));
    expect((await acme.admin.delete(`${divisionKeysOf(acme)}/${ofTenant}`)).status).toBe(404);
    expect((await acme.admin.get(`${divisionKeysOf(acme)}/${ofTenant}`)).status).toBe(404);
    expect((await acme.admin.delete(`${divisionKeysOf(acme)}/${ofDivision}`)).status).toBe(204);
  });
});

describe('keys are listed', () => {
  test('those of the tenant with those of its divisions, by name if asked', async () => {
    const acme = await a.tenant();
    const make = (name: string) => aKey(acme, { name });
    await acme.admin.post(keysOf(acme), make('deploy-100%'));
    await acme.admin.post(divisionKeysOf(acme), make('Deploy-team'));
    const names = async (path: string) => itemsOf(await acme.admin.get(path)).map(({ name }) => name);
    expect(await names(`${keysOf(acme)}?name=deploy`)).toEqual(['Deploy-team', 'deploy-100%']);
    expect(await names(`${keysOf(acme)}?name=0%25`)).toEqual(['deploy-100%']);
    expect(await names(divisionKeysOf(acme))).toEqual(['Deploy-team']);
    expect((await acme.admin.get(`${acme.path}/divisions/999999/api_keys`)).status).toBe(404);
  });

  test('and each can ask who it is', async () => {
    const acme = await a.tenant();
    const context = (path: string) => acme.admin.get(`${path}/context`);
    expect((await context(keysOf(acme))).body).toMatchObject({ role_name: 'admin', user_id: acme.owner.id });
    expect((await context(divisionKeysOf(acme))).status).toBe(404);
    const bound = await acme.with({}, acme.division);
    const { body } = await bound.get(`${divisionKeysOf(acme)}/context`);
    expect(body).toMatchObject({ division_id: acme.division, permissions: { tenant: [] } });
    const [other] = [await a.tenant()];
    expect((await acme.admin.get(`${keysOf(other)}/context`)).status).toBe(403);
  });
});

test('a role is shown with what it grants', async () => {
  const acme = await a.tenant();
  const { body } = await acme.admin.get(`${acme.path}/roles/${acme.roles.billing}`);
  expect(body).toEqual({
    id: acme.roles.billing,
    name: 'billing',
    kind: 'system',
    permissions: {
      tenant: ['info:read', 'subscription:read', 'subscription:manage', 'billing:read', 'billing:manage'],
      division: [],
      environment: [],
      divisions: {},
    },
  });
  expect((await acme.admin.get(`${acme.path}/roles/999999`)).status).toBe(404);
});

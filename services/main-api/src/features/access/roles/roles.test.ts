import { idOf, type RoleId } from '@sluice/contracts';
import { client } from '@sluice/testing';
import { fieldIssues, itemsOf, limitReached, mainApi, refusal } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi();
const replica = on.replica();
const region = on.region();
const a = on.tenants();

const rolesOf = (tenant: TestTenant) => `${tenant.path}/roles`;
const roleOf = (tenant: TestTenant, id: number) => `${rolesOf(tenant)}/${id}`;
const make = async (tenant: TestTenant, name: string, permissions: object) =>
  idOf<RoleId>(await tenant.add(rolesOf(tenant), { name, permissions }));

/** for tests that add roles to it alone */
let common: TestTenant;
beforeAll(async () => {
  common = await a.tenant({ overrides: { roles_limit: 50 } });
});

describe('a role is created', () => {
  test('with its overrides, shown by the names of what they are about, and an event', async () => {
    const acme = await a.tenant();
    const environments = `${acme.divisionPath}/environments`;
    const environment = await acme.add(environments, { name: 'production' });
    const answer = await acme.admin.post(rolesOf(acme), {
      name: 'operator',
      permissions: {
        tenant: ['info:read'],
        environment: ['deployment:manage'],
        divisions: {
          [acme.division]: { permissions: ['info:read'], environments: { [environment]: [] } },
        },
      },
    });
    const id = Number(answer.body['id']);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(roleOf(acme, id));
    expect(answer.headers.get('svc-role')).toBe(String(id));
    expect(answer.body).toEqual({
      id,
      name: 'operator',
      kind: 'custom',
      permissions: {
        tenant: ['info:read'],
        division: [],
        environment: ['deployment:read', 'deployment:manage'],
        divisions: {
          [acme.division]: {
            name: 'default',
            permissions: ['info:read'],
            environment: ['deployment:read', 'deployment:manage'],
            environments: { [environment]: { name: 'production', permissions: [] } },
          },
        },
      },
    });
    expect((await acme.admin.get(roleOf(acme, id))).body).toEqual(answer.body);
    expect((await region.event('role_created', answer.headers)).data).toEqual({ name: 'operator' });
    expect(itemsOf(await acme.admin.get(rolesOf(acme)))[0]).toEqual({ id, name: 'operator', kind: 'custom' });
  });

  test.each([
    [{ tenant: ['deployment:read'] }, 'tenant/0 not_allowed'],
    [{ divisions: { 999999: {} } }, 'divisions/999999 unknown'],
    [{ divisions: { 'a/b': {} } }, 'divisions/a~1b unknown'],
    [{ divisions: { '01': {} } }, 'divisions/01 unknown'],
    [JSON.parse('{"divisions":{"__proto__":{}}}') as object, 'divisions/__proto__ not_accepted'],
    [{ tenants: [] }, 'tenants unknown_field'],
  ])('not with %j', async (permissions, issue) => {
    const answer = await common.admin.post(rolesOf(common), { name: 'r', permissions });
    expect(fieldIssues(answer)).toContain(`/body/permissions/${issue}`);
  });

  test('not with an environment under a division that is not its own', async () => {
    const [acme, other] = [await a.tenant(), await a.tenant()];
    const environments = `${acme.divisionPath}/environments`;
    const environment = await acme.add(environments, { name: 'e' });
    const second = await acme.add(`${acme.path}/divisions`, { name: 'second' });
    const permissions = {
      divisions: { [second]: { environments: { [environment]: [] } }, [other.division]: {} },
    };
    expect(fieldIssues(await acme.admin.post(rolesOf(acme), { name: 'r', permissions })).sort()).toEqual(
      [
        `/body/permissions/divisions/${second}/environments/${environment} unknown`,
        `/body/permissions/divisions/${other.division} unknown`,
      ].sort(),
    );
  });

  test("not with an environment's override under the name of a prototype", async () => {
    const environments = JSON.parse('{"__proto__": []}') as object;
    const permissions = { divisions: { [common.division]: { environments } } };
    const answer = await common.admin.post(rolesOf(common), { name: 'r', permissions });
    expect(fieldIssues(answer)).toEqual([
      `/body/permissions/divisions/${common.division}/environments/__proto__ not_accepted`,
    ]);
  });

  test('as a copy of what another one is shown as, and changed to that', async () => {
    const acme = await a.tenant();
    const environments = `${acme.divisionPath}/environments`;
    const environment = await acme.add(environments, { name: 'e' });
    const original = await make(acme, 'original', {
      environment: ['deployment:read'],
      divisions: { [acme.division]: { environments: { [environment]: ['info:read'] } } },
    });
    for (const id of [acme.roles.developer, original]) {
      const { permissions } = (await acme.admin.get(roleOf(acme, id))).body;
      const copy = await acme.admin.post(rolesOf(acme), { name: `copy of ${id}`, permissions });
      expect([copy.status, copy.body['permissions']]).toEqual([201, permissions]);
      const other = await make(acme, `other than ${id}`, {});
      expect((await acme.admin.put(roleOf(acme, other), { permissions })).status).toBe(204);
      expect((await acme.admin.get(roleOf(acme, other))).body['permissions']).toEqual(permissions);
    }
  });

  test('not under a name that is used, in any case of its letters', async () => {
    await make(common, 'Mine', {});
    for (const name of ['Viewer', 'ADMIN', 'mine'])
      expect(refusal(await common.admin.post(rolesOf(common), { name, permissions: {} }))).toBe(
        '409 name_taken',
      );
  });

  test('not with more than the caller holds, at any scope', async () => {
    const acme = await a.tenant();
    const caller = await acme.with({
      tenant: ['role:manage'],
      environment: ['deployment:manage'],
      divisions: { [acme.division]: { environment: ['deployment:read'] } },
    });
    const create = (permissions: object) =>
      caller.post(rolesOf(acme), { name: JSON.stringify(permissions), permissions }).then(refusal);
    for (const permissions of [
      { tenant: ['info:read'] },
      { division: ['info:read'] },
      { environment: ['deployment:manage'] },
    ])
      expect(await create(permissions)).toBe('403 privilege_escalation');
    const narrowed = { [acme.division]: { environment: ['deployment:read'] } };
    expect(await create({ environment: ['deployment:manage'], divisions: narrowed })).toBe('201');
    expect(await create({ environment: ['deployment:read'] })).toBe('201');
  });

  test('once, when two replicas are asked for the same name at once', async () => {
    const create = await common.race((to) => to.post(rolesOf(common), { name: 'same', permissions: {} }));
    expect(create).toEqual(['201', '409 name_taken']);
  });

  test('not with overrides of more divisions or environments than the plan allows', async () => {
    const acme = await a.tenant({ overrides: { divisions_per_role_limit: 0 } });
    const permissions = { divisions: { [acme.division]: {} } };
    expect((await acme.admin.post(rolesOf(acme), { name: 'r', permissions })).body).toMatchObject(
      limitReached('divisions_per_role_limit', 0),
    );
  });
});

test('a key of a role may do in each place what the role grants there: by an override, else by a default', async () => {
  const acme = await a.tenant();
  const made = async (path: string, name: string) => await acme.add(path, { name });
  const other = await made(`${acme.path}/divisions`, 'other');
  const environmentsOf = (division: number) => `${acme.path}/divisions/${division}/environments`;
  const [closed, open, named, elsewhere] = [
    await made(environmentsOf(acme.division), 'closed'),
    await made(environmentsOf(acme.division), 'open'),
    await made(environmentsOf(acme.division), 'named'),
    await made(environmentsOf(other), 'elsewhere'),
  ];
  const role = await make(acme, 'mixed', {
    tenant: ['member:read'],
    division: ['environment:read'],
    environment: ['deployment:read'],
    divisions: {
      [acme.division]: {
        name: 'is passed over',
        permissions: ['info:read'],
        environment: ['info:read'],
        environments: {
          [closed]: [],
          [named]: { name: 'is passed over', permissions: ['info:read', 'deployment:read'] },
        },
      },
    },
  });
  const key = client(replica.url, await (await acme.person([role])).token({ role_id: role }));
  const status = async (path: string) => (await key.get(path)).status;
  expect([await status(`${acme.path}/members`), await status(`${acme.path}/roles`)]).toEqual([200, 403]);
  // the override of a division takes the place of the default
  const at = (division: number) => `${acme.path}/divisions/${division}`;
  expect([await status(at(acme.division)), await status(environmentsOf(acme.division))]).toEqual([200, 403]);
  expect([await status(at(other)), await status(environmentsOf(other))]).toEqual([403, 200]);
  const inEnvironment = async (division: number, environment: number) => [
    await status(`${environmentsOf(division)}/${environment}`),
    await status(`${environmentsOf(division)}/${environment}/deployments`),
  ];
  expect(await inEnvironment(acme.division, open)).toEqual([200, 403]);
  expect(await inEnvironment(acme.division, named)).toEqual([200, 200]);
  expect(await inEnvironment(acme.division, closed)).toEqual([403, 403]);
  // `environment:read` of the division opens it, the default lets its deployments be read
  expect(await inEnvironment(other, elsewhere)).toEqual([200, 200]);
});

test('in what a role grants, null means absent: nothing at the top, inherited in an override', async () => {
  const acme = await a.tenant();
  const role = await make(acme, 'r', {
    tenant: null,
    environment: ['info:read'],
    divisions: { [acme.division]: { permissions: null, environment: null, environments: null } },
  });
  const { body } = await acme.admin.get(roleOf(acme, role));
  expect(body['permissions']).toMatchObject({
    tenant: [],
    divisions: { [acme.division]: { permissions: [], environment: ['info:read'], environments: {} } },
  });
});

describe('a role is changed', () => {
  test('and all keys that depend on it lose what it lost, on all replicas, when it is answered', async () => {
    const acme = await a.tenant();
    const wide = { tenant: ['info:read', 'division:read'] };
    const role = await make(acme, 'reader', wide);
    const member = await acme.person([role]);
    const ofRole = await member.token({ role_id: role });
    const ofOwn = await member.token({ permissions: wide });
    const divisions = `${acme.path}/divisions`;
    for (let round = 0; round < 5; round++) {
      const narrowed = await acme.admin.put(roleOf(acme, role), { permissions: { tenant: ['info:read'] } });
      expect(narrowed.status).toBe(204);
      for (const token of [ofRole, ofOwn]) {
        expect(await on.statuses(token, divisions)).toEqual([403, 403]);
        expect(await on.statuses(token, acme.path)).toEqual([200, 200]);
      }
      expect((await acme.admin.put(roleOf(acme, role), { permissions: wide })).status).toBe(204);
      for (const token of [ofRole, ofOwn]) expect(await on.statuses(token, divisions)).toEqual([200, 200]);
    }
  });

  test('with an event that names what differs, and none when nothing does', async () => {
    const acme = await a.tenant();
    const role = await make(acme, 'reader', { tenant: ['info:read'] });
    const same = await acme.admin.put(roleOf(acme, role), {
      name: 'reader',
      permissions: { tenant: ['info:read'] },
    });
    const renamed = await acme.admin.put(roleOf(acme, role), { name: 'Reader', permissions: null });
    expect([same.status, renamed.status]).toEqual([204, 204]);
    const event = await region.event('role_updated', renamed.headers);
    expect(event.data).toEqual({ name: 'Reader', changes: { name: 'Reader' }, former: { name: 'reader' } });
    expect(region.eventsOfRequests(same.headers)).toEqual([]);
  });

  test('not to what the caller does not hold, nor from it', async () => {
    const acme = await a.tenant();
    const caller = await acme.with({ tenant: ['role:manage'] });
    const role = await make(acme, 'strong', { tenant: ['audit:read'] });
    const change = (body: object) => caller.put(roleOf(acme, role), body).then(refusal);
    expect(await change({ permissions: { tenant: ['info:read'] } })).toBe('403 privilege_escalation');
    expect(await change({ name: 'renamed' })).toBe('403 privilege_escalation');
    expect(await change({ permissions: { tenant: ['role:read'] } })).toBe('403 privilege_escalation');
    const modest = await make(acme, 'modest', { tenant: ['role:manage'] });
    const narrowed = await caller.put(roleOf(acme, modest), { permissions: { tenant: ['role:read'] } });
    expect(narrowed.status).toBe(204);
  });

  test('not to a name that is used, not at all without a field, and not in another tenant', async () => {
    const [acme, other] = [await a.tenant(), await a.tenant()];
    const role = await make(acme, 'one', {});
    await make(acme, 'two', {});
    expect(refusal(await acme.admin.put(roleOf(acme, role), { name: 'TWO' }))).toBe('409 name_taken');
    expect((await acme.admin.put(roleOf(acme, role), {})).status).toBe(204);
    expect((await other.admin.put(roleOf(other, role), { name: 'mine' })).status).toBe(404);
    expect((await other.admin.delete(roleOf(other, role))).status).toBe(404);
  });
});

describe('a role is deleted', () => {
  test('and taken from its members, whose keys lose what it granted', async () => {
    const acme = await a.tenant();
    const role = await make(acme, 'reader', { tenant: ['info:read'] });
    const member = await acme.person([role, acme.roles.billing]);
    const token = await member.token({ permissions: { tenant: ['info:read', 'member:read'] } });
    expect(await on.statuses(token, acme.path)).toEqual([200, 200]);
    await acme.admin.put(`${acme.path}/members/${member.id}`, { roles: [role] });
    const answer = await acme.admin.delete(roleOf(acme, role));
    expect(answer.status).toBe(204);
    expect(await on.statuses(token, acme.path)).toEqual([403, 403]);
    expect((await acme.admin.get(roleOf(acme, role))).status).toBe(404);
    const revoked = await region.event('role_revoked', answer.headers);
    expect([revoked.user?.id, revoked.data]).toEqual([member.id, { role: { id: role, name: 'reader' } }]);
    expect((await region.event('role_deleted', answer.headers)).data).toEqual({ name: 'reader' });
    expect((await acme.admin.delete(roleOf(acme, role))).status).toBe(404);
  });

  test('not while an API key has it', async () => {
    const acme = await a.tenant();
    const role = await make(acme, 'reader', { tenant: ['info:read'] });
    const expiry_at = new Date(Date.now() + 60_000).toISOString();
    const key = await acme.add(`${acme.path}/api_keys`, { name: 'k', role_id: role, expiry_at });
    expect(refusal(await acme.admin.delete(roleOf(acme, role)))).toBe('409 role_in_use');
    await acme.admin.delete(`${acme.path}/api_keys/${key}`);
    expect((await acme.admin.delete(roleOf(acme, role))).status).toBe(204);
  });
});

describe('a system role', () => {
  test('cannot be changed or deleted', async () => {
    const acme = await a.tenant();
    for (const id of Object.values(acme.roles)) {
      expect(refusal(await acme.admin.put(roleOf(acme, id), { name: 'mine' }))).toBe('403 system_role');
      expect(refusal(await acme.admin.delete(roleOf(acme, id)))).toBe('403 system_role');
    }
  });

  test('shows its environment grants for each division, those that are made later too', async () => {
    const acme = await a.tenant();
    const added = await acme.add(`${acme.path}/divisions`, { name: 'added' });
    const { body } = await acme.admin.get(roleOf(acme, acme.roles.viewer));
    const { environment, division, divisions } = body['permissions'] as Record<string, object>;
    const ofDivision = { permissions: division, environment, environments: {} };
    expect(environment).toEqual(['info:read', 'deployment:read']);
    expect(divisions).toEqual({
      [acme.division]: { name: 'default', ...ofDivision },
      [added]: { name: 'added', ...ofDivision },
    });
    const billing = await acme.admin.get(roleOf(acme, acme.roles.billing));
    expect(billing.body['permissions']).toMatchObject({ environment: [], divisions: {} });
  });
});

test('what a role says of a division or an environment goes with it', async () => {
  const acme = await a.tenant();
  const added = await acme.add(`${acme.path}/divisions`, { name: 'added' });
  const environments = `${acme.divisionPath}/environments`;
  const environment = await acme.add(environments, { name: 'e' });
  const role = await make(acme, 'r', {
    tenant: ['info:read'],
    divisions: {
      [acme.division]: { environments: { [environment]: ['info:read'] } },
      [added]: { permissions: ['info:read'] },
    },
  });
  const token = await (await acme.person([role])).token({ role_id: role });
  expect((await acme.admin.delete(`${environments}/${environment}`)).status).toBe(204);
  expect((await acme.admin.delete(`${acme.path}/divisions/${added}`)).status).toBe(204);
  // a change has to be valid as a whole: nothing of what is gone is left in it
  const { body } = await acme.admin.get(roleOf(acme, role));
  expect(Object.keys((body['permissions'] as { divisions: object }).divisions)).toEqual([
    String(acme.division),
  ]);
  await on.sql(
    `DO $$ BEGIN IF EXISTS (SELECT FROM roles WHERE permissions::text ~ '"(${environment}|${added})"') THEN
       RAISE 'an override is left'; END IF; END $$`,
  );
  expect(await on.statuses(token, acme.path)).toEqual([200, 200]);
});

describe('a role is shown', () => {
  test('without the names of what the reader may not see', async () => {
    const acme = await a.tenant();
    const hidden = await acme.add(`${acme.path}/divisions`, { name: 'hidden' });
    const environments = `${acme.path}/divisions/${hidden}/environments`;
    const environment = await acme.add(environments, { name: 'secret' });
    const id = await make(acme, 'r', {
      divisions: { [hidden]: { environments: { [environment]: [] } }, [acme.division]: {} },
    });
    const reader = await acme.with({
      tenant: ['role:read', 'division:read'],
      divisions: { [hidden]: {} },
    });
    expect((await reader.get(roleOf(acme, id))).body['permissions']).toMatchObject({
      divisions: {
        [hidden]: { name: null, environments: { [environment]: { name: null } } },
        [acme.division]: { name: 'default' },
      },
    });
    const system = (await reader.get(roleOf(acme, acme.roles.admin))).body['permissions'] as {
      divisions: object;
    };
    expect(Object.keys(system.divisions)).toEqual([String(acme.division)]);
  });
});

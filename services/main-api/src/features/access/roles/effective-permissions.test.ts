import { fieldIssues, mainApi, refusal } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi({ replicas: 1 });
const a = on.tenants();

const nothing = { tenant: [], division: [], environment: [], divisions: {} };
const roleIn = (acme: TestTenant, name: string, permissions: object) =>
  acme.add(`${acme.path}/roles`, { name, permissions });
/** a member who has these roles besides none of the system's */
const memberWith = async (acme: TestTenant, ...roles: number[]) => {
  const { id, name } = await acme.person([]);
  await acme.admin.put(`${acme.path}/members/${id}`, { roles });
  return { id, name, path: `${acme.path}/members/${id}/permissions` };
};
const simulate = async (acme: TestTenant, body: object, caller = acme.admin) =>
  await caller.post(`${acme.path}/roles/simulate`, body);

/** A tenant with an environment, and two roles: one with defaults, one with overrides for its division and that environment. */
async function withRoles() {
  const acme = await a.tenant();
  const environment = await acme.add(`${acme.divisionPath}/environments`, { name: 'production' });
  const general = await roleIn(acme, 'general', { environment: ['deployment:read'] });
  const special = await roleIn(acme, 'special', {
    tenant: ['info:read'],
    environment: ['info:read'],
    divisions: {
      [acme.division]: { environments: { [environment]: ['deployment:manage'] }, permissions: [] },
    },
  });
  return { acme, environment, general, special };
}

describe('the permissions of a member', () => {
  test('are what all roles come to, each with the part of the role that grants it', async () => {
    const { acme, environment, general, special } = await withRoles();
    const { id, name, path } = await memberWith(acme, general, special);
    const answer = await acme.admin.get(path);
    const division = { id: acme.division, name: 'default' };
    const ofGeneral = { role: { id: general, name: 'general', kind: 'custom' } };
    const ofSpecial = { role: { id: special, name: 'special', kind: 'custom' } };
    const everywhere = { source: 'default', division: null, environment: null };
    expect(answer.body).toEqual({
      member: { id, name },
      active: true,
      owner: false,
      permissions: {
        tenant: ['info:read'],
        division: [],
        environment: ['info:read', 'deployment:read'],
        divisions: {
          [acme.division]: {
            name: 'default',
            permissions: [],
            environment: ['info:read', 'deployment:read'],
            environments: {
              [environment]: { name: 'production', permissions: ['deployment:read', 'deployment:manage'] },
            },
          },
        },
      },
      grants: [
        { ...ofGeneral, scope: 'environment', ...everywhere, permissions: ['deployment:read'] },
        { ...ofSpecial, scope: 'tenant', ...everywhere, permissions: ['info:read'] },
        { ...ofSpecial, scope: 'environment', ...everywhere, permissions: ['info:read'] },
        {
          ...{ ...ofSpecial, scope: 'division', source: 'division_override', division, environment: null },
          permissions: [],
        },
        {
          ...{ ...ofSpecial, scope: 'environment', source: 'environment_override', division },
          environment: { id: environment, name: 'production' },
          permissions: ['deployment:read', 'deployment:manage'],
        },
      ],
    });
  });

  test('name no place that the reader may not see', async () => {
    const { acme, special } = await withRoles();
    const { path } = await memberWith(acme, special);
    const reader = await acme.member({ tenant: ['member:read', 'role:read'] });
    const { body } = await reader.get(path);
    const places = (body['grants'] as { division: { name: string | null } | null }[]).map(
      ({ division }) => division?.name,
    );
    expect(places).toEqual([undefined, undefined, null, null]);
    expect(JSON.stringify(body)).not.toContain('production');
  });

  test('say that the owner is one, and that a member is inactive', async () => {
    const acme = await a.tenant();
    const { body } = await acme.admin.get(`${acme.path}/members/${acme.owner.id}/permissions`);
    expect(body).toMatchObject({ owner: true, active: true, member: { id: acme.owner.id, name: 'Owner' } });
    const { id, path } = await memberWith(acme, acme.roles.viewer);
    await acme.admin.put(`${acme.path}/members/${id}`, { active: false });
    const inactive = (await acme.admin.get(path)).body;
    expect(inactive).toMatchObject({ owner: false, active: false });
    expect(inactive['permissions']).toMatchObject({ environment: ['info:read', 'deployment:read'] });
  });

  test('are for those who read members and roles, of members of their own tenant', async () => {
    const [acme, other] = [await a.tenant(), await a.tenant()];
    const { path } = await memberWith(acme, acme.roles.viewer);
    for (const tenant of [['member:read'], ['role:read']] as const)
      expect(refusal(await (await acme.member({ tenant: [...tenant] })).get(path))).toBe('403 forbidden');
    const stranger = await memberWith(other, other.roles.viewer);
    expect(refusal(await acme.admin.get(`${acme.path}/members/${stranger.id}/permissions`))).toBe(
      '404 not_found',
    );
    expect(refusal(await acme.admin.get(stranger.path))).toBe('403 forbidden');
  });
});

describe('a simulation', () => {
  test('of a new role says what it grants', async () => {
    const acme = await a.tenant();
    const answer = await simulate(acme, {
      permissions: {
        environment: ['deployment:manage'],
        divisions: { [acme.division]: { environment: [] } },
      },
    });
    const granted = ['deployment:read', 'deployment:manage'];
    const division = { id: acme.division, name: 'default' };
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        member: null,
        before: nothing,
        after: {
          ...{ ...nothing, environment: granted },
          divisions: {
            [acme.division]: { name: 'default', permissions: [], environment: [], environments: {} },
          },
        },
        gained: [
          { scope: 'environment', division: null, environment: null, permissions: granted },
          { scope: 'environment', division, environment: null, permissions: [] },
        ],
        lost: [],
      },
    ]);
  });

  test('of a changed role says what is gained and lost, by the role and by a member who has others', async () => {
    const { acme, general, special } = await withRoles();
    const { id, name } = await memberWith(acme, general, special);
    const change = { role: general, permissions: { environment: ['info:read', 'deployment:task:read'] } };
    const everywhere = { scope: 'environment', division: null, environment: null };
    const lost = [{ ...everywhere, permissions: ['deployment:read'] }];
    expect((await simulate(acme, change)).body).toMatchObject({
      member: null,
      gained: [{ ...everywhere, permissions: ['info:read', 'deployment:task:read'] }],
      lost,
    });
    const { body } = await simulate(acme, { ...change, member: id });
    // the other role grants info:read by its default, but not in the environment that it overrides
    const production = { name: 'production' };
    expect(body).toMatchObject({
      member: { id, name },
      gained: [
        { ...everywhere, permissions: ['deployment:task:read'] },
        {
          ...{
            scope: 'environment',
            environment: production,
            permissions: ['info:read', 'deployment:task:read'],
          },
        },
      ],
      lost: [
        { ...everywhere, permissions: ['deployment:read'] },
        { scope: 'environment', environment: production, permissions: [] },
      ],
    });
  });

  test('of the roles of a member says the same as the member has after the change', async () => {
    const { acme, general, special } = await withRoles();
    const { id, path } = await memberWith(acme, general);
    const roles = [special, acme.roles.viewer];
    const before = (await acme.admin.get(path)).body['permissions'];
    const tried = (await simulate(acme, { member: id, roles })).body;
    expect(tried['before']).toEqual(before);
    // nothing was changed
    expect((await acme.admin.get(path)).body['permissions']).toEqual(before);
    await acme.admin.put(`${acme.path}/members/${id}`, { roles });
    expect(tried['after']).toEqual((await acme.admin.get(path)).body['permissions']);
  });

  test('of a role that a member does not have adds it', async () => {
    const { acme, general } = await withRoles();
    const { id } = await memberWith(acme, general);
    const permissions = { tenant: ['billing:read'] };
    const { body } = await simulate(acme, { member: id, permissions });
    expect(body['gained']).toEqual([
      { scope: 'tenant', division: null, environment: null, permissions: ['billing:read'] },
    ]);
    expect(body['after']).toMatchObject({ tenant: ['billing:read'], environment: ['deployment:read'] });
  });

  test('is refused as the change would be', async () => {
    const { acme, general, special } = await withRoles();
    const { id } = await memberWith(acme, general);
    const weak = await acme.member({ tenant: ['role:read', 'member:read'], environment: ['info:read'] });
    const refused = async (body: object, caller = acme.admin) => refusal(await simulate(acme, body, caller));
    const escalation = '403 privilege_escalation';
    expect(await refused({ permissions: { environment: ['info:read'] } }, weak)).toBe('200');
    expect(await refused({ permissions: { tenant: ['billing:read'] } }, weak)).toBe(escalation);
    expect(await refused({ role: general, permissions: {} }, weak)).toBe(escalation);
    expect(await refused({ member: id, roles: [] }, weak)).toBe(escalation);
    expect(await refused({ role: acme.roles.viewer, permissions: {} })).toBe('403 system_role');
    expect(await refused({ member: acme.owner.id, roles: [] })).toBe('400 member_is_owner');
    expect(await refused({ role: 999_999, permissions: {} })).toBe('404 not_found');
    expect(await refused({ role: special, permissions: {} })).toBe('200');
    const few = await a.tenant({ overrides: { divisions_per_role_limit: 0 } });
    const override = { permissions: { divisions: { [few.division]: {} } } };
    expect(refusal(await simulate(few, override))).toContain('limit_reached');
  });

  test('is of one thing', async () => {
    const acme = await a.tenant();
    const { id } = await memberWith(acme);
    const other = await memberWith(await a.tenant());
    for (const [body, issue] of [
      [{}, '/body/permissions required'],
      [{ member: id }, '/body/permissions required'],
      [{ roles: [] }, '/body/member required'],
      [{ member: id, roles: [], permissions: {} }, '/body/roles not_allowed'],
      [{ member: id, roles: [], role: 1 }, '/body/role not_allowed'],
      [{ member: id, roles: [999_999] }, '/body/roles/0 unknown'],
      [{ member: other.id, roles: [] }, '/body/member unknown'],
      [{ permissions: { divisions: { 999999: {} } } }, '/body/permissions/divisions/999999 unknown'],
    ] as const)
      expect([body, fieldIssues(await simulate(acme, body))]).toEqual([body, [issue]]);
  });

  test('is for those who read roles, and members where one is named', async () => {
    const acme = await a.tenant();
    const { id } = await memberWith(acme);
    const reader = await acme.member({ tenant: ['role:read'] });
    expect(refusal(await simulate(acme, { permissions: {} }, reader))).toBe('200');
    expect(refusal(await simulate(acme, { member: id, roles: [] }, reader))).toBe('403 forbidden');
    const other = await acme.member({ tenant: ['member:read'] });
    expect(refusal(await simulate(acme, { permissions: {} }, other))).toBe('403 forbidden');
  });
});

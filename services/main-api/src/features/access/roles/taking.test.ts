import { randomUUID } from 'node:crypto';
import type { RolePermissionsInput } from '@sluice/contracts';
import { client, type Answer, type Client } from '@sluice/testing';
import { mainApi, refusal } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi();
const a = on.tenants();

const escalation = '403 privilege_escalation';
const inAnHour = () => new Date(Date.now() + 60 * 60 * 1000).toISOString();

/** What is taken in the cases below, besides the viewer's rights: one permission in each scope. */
const strong = {
  tenant: ['audit:read'],
  division: ['environment:manage'],
  environment: ['deployment:manage'],
} satisfies RolePermissionsInput;

async function strongRole(acme: TestTenant): Promise<number> {
  return await acme.add(`${acme.path}/roles`, { name: randomUUID(), permissions: strong });
}
async function strongMember(acme: TestTenant): Promise<string> {
  const roles = await strongRole(acme);
  const { id } = await acme.person([]);
  await acme.admin.put(`${acme.path}/roles/${roles}/members/assign`, { members: [id] });
  return `${acme.path}/members/${id}`;
}
async function strongKey(acme: TestTenant, keys = `${acme.path}/api_keys`): Promise<string> {
  const input = { name: randomUUID(), permissions: strong, expiry_at: inAnHour() };
  return `${keys}/${await acme.add(keys, input)}`;
}
const ofDivision = (acme: TestTenant) => strongKey(acme, `${acme.divisionPath}/api_keys`);

/** Makes a thing that can be taken; the request then takes it. */
type Prepare = (acme: TestTenant) => Promise<(caller: Client) => Promise<Answer>>;

/** A request about a thing that is made before it, by the path or the id of that. */
const about =
  <Thing>(
    make: (acme: TestTenant) => Promise<Thing>,
    request: (caller: Client, thing: Thing, acme: TestTenant) => Promise<Answer>,
  ): Prepare =>
  async (acme) => {
    const thing = await make(acme);
    return (caller) => request(caller, thing, acme);
  };

async function joinRequest(acme: TestTenant): Promise<string> {
  const stranger = await (await a.tenant()).person([]);
  await on.sql('INSERT INTO join_requests (tenant_id, user_id) VALUES ($1, $2)', [acme.id, stranger.id]);
  const [request] = await on.sql('SELECT id FROM join_requests WHERE user_id = $1', [stranger.id]);
  return `${acme.path}/join_requests/${String(request?.['id'])}`;
}
async function invitation(acme: TestTenant): Promise<string> {
  const input = { email: `${randomUUID()}@example.com`, roles: [await strongRole(acme)] };
  return `${acme.path}/invitations/${await acme.add(`${acme.path}/invitations`, input)}`;
}
async function inactiveMember(acme: TestTenant): Promise<string> {
  const member = await strongMember(acme);
  await acme.admin.put(member, { active: false });
  return member;
}
/** a member, and the members of a role that it has */
async function assigned(acme: TestTenant) {
  const members = `${acme.path}/roles/${await strongRole(acme)}/members`;
  const { id } = await acme.person([]);
  await acme.admin.put(`${members}/assign`, { members: [id] });
  return { id, members };
}
/** a member, and a role without permissions */
async function memberAndRole(acme: TestTenant) {
  const member = await strongMember(acme);
  const role = await acme.add(`${acme.path}/roles`, { name: randomUUID(), permissions: {} });
  return { member, role };
}
const rolePath = async (acme: TestTenant) => `${acme.path}/roles/${await strongRole(acme)}`;
const elsewhere = { validate_ip: true, allowed_ips: ['192.0.2.1'] };

/** Every operation by which a user or a key can lose a right, with its permission. */
const cases: [operation: string, permission: string, prepare: Prepare][] = [
  [
    'updateMember, to inactive',
    'member:manage',
    about(strongMember, (by, at) => by.put(at, { active: false })),
  ],
  [
    'updateMember, to fewer roles',
    'member:manage',
    about(strongMember, (by, at) => by.put(at, { roles: [] })),
  ],
  [
    'updateMember, to another role',
    'member:manage',
    about(memberAndRole, (by, { member, role }) => by.put(member, { roles: [role] })),
  ],
  ['deleteMember', 'member:manage', about(strongMember, (by, at) => by.delete(at))],
  ['deleteMember, of an inactive one', 'member:manage', about(inactiveMember, (by, at) => by.delete(at))],
  [
    'revokeRole',
    'role:manage',
    about(assigned, (by, { id, members }) => by.put(`${members}/revoke`, { members: [id] })),
  ],
  ['updateRole, to nothing', 'role:manage', about(rolePath, (by, at) => by.put(at, { permissions: {} }))],
  [
    'updateRole, to less in one division',
    'role:manage',
    about(rolePath, (by, at, { division }) =>
      by.put(at, { permissions: { ...strong, divisions: { [division]: { environment: [] } } } }),
    ),
  ],
  ['deleteRole', 'role:manage', about(rolePath, (by, at) => by.delete(at))],
  ['deleteInvitation', 'member:manage', about(invitation, (by, at) => by.delete(at))],
  ['rejectJoinRequest', 'member:manage', about(joinRequest, (by, at) => by.put(`${at}/reject`))],
  [
    'deleteApiKey',
    'api_key:manage',
    about(
      (acme) => strongKey(acme),
      (by, at) => by.delete(at),
    ),
  ],
  [
    'updateApiKeySecurity',
    'api_key:manage',
    about(
      (acme) => strongKey(acme),
      (by, at) => by.put(`${at}/security`, elsewhere),
    ),
  ],
  ['deleteDivisionApiKey', 'api_key:manage', about(ofDivision, (by, at) => by.delete(at))],
  [
    'updateDivisionApiKeySecurity',
    'api_key:manage',
    about(ofDivision, (by, at) => by.put(`${at}/security`, elsewhere)),
  ],
];

/** All rows that give rights in a tenant. */
async function rightsIn(acme: TestTenant) {
  const rows = (text: string) => on.sql(text, [acme.id]);
  return {
    members: await rows(
      `SELECT m.*, array(SELECT role_id FROM member_roles WHERE membership_id = m.id ORDER BY 1) AS roles
       FROM memberships m WHERE tenant_id = $1 ORDER BY id`,
    ),
    roles: await rows('SELECT * FROM roles WHERE tenant_id = $1 ORDER BY id'),
    keys: await rows(
      'SELECT id, role_id, user_id, validate_ip, allowed_ips FROM api_keys WHERE tenant_id = $1 ORDER BY id',
    ),
    invitations: await rows('SELECT * FROM invitations WHERE tenant_id = $1 ORDER BY id'),
    joinRequests: await rows('SELECT * FROM join_requests WHERE tenant_id = $1 ORDER BY id'),
  };
}

/** The permission of an operation alone, and with all that the cases take. */
const alone = (permission: string) => ({
  tenant: [permission],
  // where the key of a division is asked for
  division: permission === 'api_key:manage' ? [permission] : [],
});
const withAll = (permission: string): RolePermissionsInput => ({
  tenant: [permission, 'audit:read', 'info:read', 'role:read', 'member:read', 'division:read'],
  division: [...alone(permission).division, 'environment:manage', 'info:read', 'role:read', 'member:read'],
  environment: ['deployment:manage', 'info:read'],
});

describe.each(cases)('%s', (_operation, permission, prepare) => {
  test('is refused to a caller who lacks one of the rights that it takes, and changes nothing', async () => {
    const acme = await a.tenant();
    const admin = await acme.person([acme.roles.admin]);
    const callers = [
      await acme.member(alone(permission)),
      await acme.member({ ...withAll(permission), environment: [] }),
      // what counts is the key's, beside what its person holds
      client(on.replica().url, await admin.token({ permissions: alone(permission) })),
    ];
    const request = await prepare(acme);
    const before = await rightsIn(acme);
    for (const caller of callers) expect(refusal(await request(caller))).toEqual(escalation);
    expect(await rightsIn(acme)).toEqual(before);
  });

  test('works for a caller who holds them, for an admin and for the owner', async () => {
    const acme = await a.tenant();
    const admin = await acme.person([acme.roles.admin]);
    for (const caller of [
      acme.member(withAll(permission)),
      admin.token({ role_id: acme.roles.admin }).then((token) => client(on.replica().url, token)),
      Promise.resolve(acme.admin),
    ]) {
      const holder = await caller;
      const request = await prepare(acme);
      const before = await rightsIn(acme);
      expect(refusal(await request(holder))).toBe('204');
      expect(await rightsIn(acme)).not.toEqual(before);
    }
  });
});

describe('a right that is taken', () => {
  test('is that of the moment: a role that is widened meanwhile is not revoked by a caller who holds less', async () => {
    const acme = await a.tenant();
    const permissions = { tenant: ['role:read'] };
    const { body } = await acme.admin.post(`${acme.path}/roles`, { name: 'reader', permissions });
    const role = `${acme.path}/roles/${String(body['id'])}`;
    const { id } = await acme.person([]);
    await acme.admin.put(`${role}/members/assign`, { members: [id] });
    const caller = await acme.member({ tenant: ['role:manage', 'member:manage'] });
    const wide = JSON.stringify({ ...strong, divisions: {} });
    for (const request of [
      () => caller.put(`${role}/members/revoke`, { members: [id] }),
      () => caller.delete(`${acme.path}/members/${id}`),
      () => caller.put(role, { permissions: {} }),
    ]) {
      await on.sql('UPDATE roles SET permissions = $2 WHERE id = $1', [body['id'], permissions]);
      const answer = await a.whileLocked(
        [
          ['SELECT 1 FROM tenants WHERE id = $1 FOR UPDATE', [acme.id]],
          ['UPDATE roles SET permissions = $2 WHERE id = $1', [body['id'], wide]],
        ],
        request,
      );
      expect(refusal(answer)).toEqual(escalation);
    }
    await acme.admin.put(role, { permissions });
    expect((await caller.put(`${role}/members/revoke`, { members: [id] })).status).toBe(204);
  });

  test('is not one of a role that stays', async () => {
    const acme = await a.tenant();
    const member = await acme.person([acme.roles.admin, acme.roles.billing]);
    const caller = await acme.member({
      tenant: ['member:manage', 'info:read', 'subscription:manage', 'billing:manage'],
    });
    const path = `${acme.path}/members/${member.id}`;
    expect((await caller.put(path, { roles: [acme.roles.admin] })).status).toBe(204);
    expect(refusal(await caller.put(path, { roles: [acme.roles.billing] }))).toEqual(escalation);
    expect((await caller.put(path, { active: true })).status).toBe(204);
  });

  test('can be the key’s own: it deletes itself', async () => {
    const acme = await a.tenant();
    const permissions = { tenant: ['api_key:manage'] };
    const key = await acme.member(permissions);
    const { body } = await key.get(`${acme.path}/api_keys/context`);
    expect((await key.delete(`${acme.path}/api_keys/${String(body['id'])}`)).status).toBe(204);
  });
});

import { permissionCatalogue } from '@sluice/contracts';
import { client } from '@sluice/testing';
import { fieldIssues, itemsOf, mainApi, refusal } from '#test/main-api.ts';
import type { TestTenant } from '#test/tenants.ts';

const on = mainApi();
const replica = on.replica();
const region = on.region();
const a = on.tenants();

const membersOf = (tenant: TestTenant) => `${tenant.path}/members`;
const memberOf = (tenant: TestTenant, id: number) => `${membersOf(tenant)}/${id}`;

test('members are listed with the names of their roles, newest first', async () => {
  const acme = await a.tenant();
  const member = await acme.person([acme.roles.viewer, acme.roles.billing]);
  const answer = await acme.admin.get(membersOf(acme));
  expect(answer.body).toMatchObject({ page: 1, total_results: 2, total_pages: 1 });
  const { id, name, email } = member;
  const [newest, founder] = itemsOf(answer);
  expect(newest).toEqual({
    id,
    name,
    email,
    active: true,
    roles: ['viewer', 'billing'],
    role_ids: [acme.roles.viewer, acme.roles.billing],
    created_at: expect.any(String) as string,
  });
  expect(founder).toMatchObject({ id: acme.owner.id, roles: ['admin'] });
  expect(itemsOf(await acme.admin.get(`${membersOf(acme)}?results=1&page=2`))).toEqual([founder]);
});

test('the permission catalogue names all that can be granted', async () => {
  const acme = await a.tenant();
  expect((await acme.admin.get(`${membersOf(acme)}/permissions`)).body).toEqual(permissionCatalogue);
});

test('a key does what both its role and its user may, and no more', async () => {
  const acme = await a.tenant();
  const member = await acme.person([acme.roles.billing]);
  const token = await member.token({ role_id: acme.roles.admin });
  expect(await on.statuses(token, acme.path)).toEqual([200, 200]);
  expect(await on.statuses(token, membersOf(acme))).toEqual([403, 403]);
  const { body } = await client(replica.url, token).get(`${acme.path}/api_keys/context`);
  expect(body).toMatchObject({ role_name: 'admin', permissions: { division: [], environment: [] } });
});

describe('a member is changed', () => {
  test('and their keys have the rights of the new roles on all replicas when it is answered', async () => {
    const acme = await a.tenant();
    const member = await acme.person([acme.roles.viewer]);
    const token = await member.token({ role_id: acme.roles.admin });
    for (let round = 0; round < 5; round++) {
      const changed = await acme.admin.put(memberOf(acme, member.id), { roles: [acme.roles.billing] });
      expect(changed.status).toBe(204);
      expect(await on.statuses(token, membersOf(acme))).toEqual([403, 403]);
      const back = { roles: [acme.roles.viewer, acme.roles.viewer] };
      expect((await acme.admin.put(memberOf(acme, member.id), back)).status).toBe(204);
      expect(await on.statuses(token, membersOf(acme))).toEqual([200, 200]);
    }
  });

  test('to inactive: every key of theirs is refused until they are active again', async () => {
    const acme = await a.tenant();
    const member = await acme.person([acme.roles.viewer]);
    const token = await member.token({ role_id: acme.roles.viewer });
    for (let round = 0; round < 5; round++) {
      const answer = await acme.admin.put(memberOf(acme, member.id), { active: false });
      expect(answer.status).toBe(204);
      expect(await on.statuses(token, acme.path)).toEqual([401, 401]);
      const event = await region.event('member_updated', answer.headers);
      expect([event.user?.id, event.data]).toEqual([
        member.id,
        { changes: { active: false }, former: { active: true } },
      ]);
      expect(itemsOf(await acme.admin.get(membersOf(acme)))[0]).toMatchObject({ active: false });
      expect((await acme.admin.put(memberOf(acme, member.id), { active: true })).status).toBe(204);
      expect(await on.statuses(token, acme.path)).toEqual([200, 200]);
    }
  });

  test('without giving what the caller does not hold, also by making them active', async () => {
    const acme = await a.tenant();
    const caller = await acme.member({ tenant: ['member:manage', 'info:read'] });
    const member = await acme.person([acme.roles.admin]);
    const change = (body: object) => caller.put(memberOf(acme, member.id), body).then(refusal);
    await acme.admin.put(memberOf(acme, member.id), { active: false });
    expect(await change({ active: true })).toBe('403 privilege_escalation');
    expect(await change({ active: true, roles: [] })).toBe('403 privilege_escalation');
    await acme.admin.put(memberOf(acme, member.id), { roles: [] });
    expect(await change({ active: true })).toBe('204');
    expect(await change({ roles: [acme.roles.viewer] })).toBe('403 privilege_escalation');
  });

  test('not to roles that the tenant does not have', async () => {
    const [acme, other] = [await a.tenant(), await a.tenant()];
    const member = await acme.person([]);
    const roles = [acme.roles.viewer, other.roles.viewer];
    const answer = await acme.admin.put(memberOf(acme, member.id), { roles });
    expect(fieldIssues(answer)).toEqual(['/body/roles/1 unknown']);
    expect((await acme.admin.put(memberOf(acme, member.id), {})).status).toBe(204);
    expect((await acme.admin.put(memberOf(acme, other.owner.id), { active: false })).status).toBe(404);
  });
});

describe('a member is removed', () => {
  test('with all their keys of the tenant, which no replica accepts any more', async () => {
    const acme = await a.tenant();
    const member = await acme.person([acme.roles.viewer]);
    const tokens = [
      await member.token({ role_id: acme.roles.viewer }),
      await member.token({ permissions: { tenant: ['info:read'] } }),
    ];
    const answer = await acme.admin.delete(memberOf(acme, member.id));
    expect(answer.status).toBe(204);
    for (const token of tokens) expect(await on.statuses(token, acme.path)).toEqual([401, 401]);
    const event = await region.event('member_removed', answer.headers);
    expect([event.user?.id, event.data]).toEqual([member.id, { email: member.email }]);
    await region.event('api_key_deleted', answer.headers);
    expect(itemsOf(await acme.admin.get(membersOf(acme)))).toHaveLength(1);
    expect(itemsOf(await acme.admin.get(`${acme.path}/api_keys`))).toHaveLength(1);
    expect((await acme.admin.delete(memberOf(acme, member.id))).status).toBe(404);
  });
});

test('a caller changes or removes neither the owner nor themselves', async () => {
  const acme = await a.tenant();
  const member = await acme.person([acme.roles.admin]);
  const caller = client(replica.url, await member.token({ role_id: acme.roles.admin }));
  for (const [id, code] of [
    [acme.owner.id, 'member_is_owner'],
    [member.id, 'member_is_self'],
  ] as const) {
    const members = { members: [id] };
    const role = `${acme.path}/roles/${acme.roles.viewer}/members`;
    for (const answer of [
      await caller.put(memberOf(acme, id), { active: false }),
      await caller.delete(memberOf(acme, id)),
      await caller.put(`${role}/assign`, members),
      await caller.put(`${role}/revoke`, members),
    ])
      expect(refusal(answer)).toBe(`400 ${code}`);
  }
});

describe('a role', () => {
  const ofRole = (tenant: TestTenant, id: number) => `${tenant.path}/roles/${id}/members`;

  test('is assigned and revoked, with an event for each member that it changes', async () => {
    const acme = await a.tenant();
    const [one, two] = [await acme.person([]), await acme.person([acme.roles.viewer])];
    const token = await one.token({ role_id: acme.roles.viewer });
    expect(await on.statuses(token, acme.path)).toEqual([403, 403]);
    const path = ofRole(acme, acme.roles.viewer);
    const members = [one.id, two.id, one.id];
    const assigned = await acme.admin.put(`${path}/assign`, { members });
    expect(assigned.status).toBe(204);
    expect(await on.statuses(token, acme.path)).toEqual([200, 200]);
    const event = await region.event('role_assigned', assigned.headers);
    const role = { id: acme.roles.viewer, name: 'viewer' };
    expect([event.user?.id, event.data]).toEqual([one.id, { role }]);
    expect(itemsOf(await acme.admin.get(path)).map(({ id }) => id)).toEqual([two.id, one.id]);
    expect((await acme.admin.put(`${path}/assign`, { members })).status).toBe(204);

    const revoked = await acme.admin.put(`${path}/revoke`, { members: [one.id] });
    expect(revoked.status).toBe(204);
    expect(await on.statuses(token, acme.path)).toEqual([403, 403]);
    expect((await region.event('role_revoked', revoked.headers)).user?.id).toBe(one.id);
    expect(itemsOf(await acme.admin.get(path)).map(({ id }) => id)).toEqual([two.id]);
    expect((await acme.admin.put(`${path}/revoke`, { members: [one.id] })).status).toBe(204);
  });

  test('is assigned to members alone, and not with more than the caller holds', async () => {
    const [acme, other] = [await a.tenant(), await a.tenant()];
    const member = await acme.person([]);
    const path = ofRole(acme, acme.roles.viewer);
    const members = [member.id, other.owner.id];
    const answer = await acme.admin.put(`${path}/assign`, { members });
    expect(fieldIssues(answer)).toEqual(['/body/members/1 unknown']);
    expect(itemsOf(await acme.admin.get(path))).toEqual([]);
    const caller = await acme.with({ tenant: ['role:manage'] });
    expect(refusal(await caller.put(`${path}/assign`, { members: [member.id] }))).toBe(
      '403 privilege_escalation',
    );
    expect((await acme.admin.put(`${path}/assign`, { members: [] })).status).toBe(400);
    expect((await acme.admin.get(ofRole(acme, other.roles.viewer))).status).toBe(404);
  });
});

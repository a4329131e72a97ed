import { randomUUID } from 'node:crypto';
import { idOf, type Event, type TenantId, type UserId } from '@sluice/contracts';
import { addClaim, type Claims } from './claims.ts';

const tenant = idOf<TenantId>(1);
const ann = { id: idOf<UserId>(2), name: 'Ann' };
const start = Date.parse('2026-03-01T00:00:00Z');

/** What these events say of the tenant, one second after the other. */
function claimsOf(...events: [type: string, data: object][]) {
  const claims: Claims = new Map();
  events.forEach(([type, data], second) => {
    const event: Event = {
      ...{ id: randomUUID(), type, data, tenant_id: tenant, user: ann, author: null, api_key: null },
      ...{ division: null, environment: null, deployment: null, correlation_id: null },
      occurred_at: new Date(start + second * 1_000).toISOString(),
    };
    addClaim(claims, event);
  });
  const found = claims.get(tenant);
  if (!found) throw new Error('the events say nothing of the tenant');
  return found;
}

const member = (...events: [type: string, data: object][]) => {
  const found = claimsOf(...events).members.get(ann.id);
  const changes = [...(found?.changes ?? [])].map(([{ name }, isGiven]) => [name, isGiven]);
  return { ...found, base: found?.base?.map(({ name }) => name) ?? null, changes };
};

const role = (name: string) => ({ role: { id: 5, name } });

test('the last event about a role of a member counts', () => {
  const events = ['role_assigned', 'role_revoked', 'role_assigned'].map((type): [string, object] => [
    type,
    role('ops'),
  ]);
  expect(member(...events.slice(0, 2)).changes).toEqual([['ops', false]]);
  expect(member(...events).changes).toEqual([['ops', true]]);
});

test('roles that are set replace what was changed before', () => {
  const set: [string, object] = [
    'member_updated',
    { changes: { roles: ['viewer'] }, former: { roles: ['ops'] } },
  ];
  expect(member(['role_assigned', role('ops')], set)).toMatchObject({ base: ['viewer'], changes: [] });
  expect(member(set, ['role_assigned', role('ops')])).toMatchObject({
    base: ['viewer'],
    changes: [['ops', true]],
  });
});

test('a member who has left and come back has the roles of the second time alone', () => {
  expect(
    member(
      ['role_assigned', role('ops')],
      ['member_left', { email: 'ann@example.com', tenant: 'Acme' }],
      ['invitation_accepted', { email: 'ann@example.com', roles: ['viewer'], tenant: 'Acme' }],
    ),
  ).toMatchObject({ isMember: true, hasEnded: true, base: ['viewer'], changes: [] });
});

test('a role is followed through its names, and one of a former name is another', () => {
  const { roles } = claimsOf(
    ['role_updated', { name: 'new', changes: { name: 'new' }, former: { name: 'old' } }],
    ['role_updated', { name: 'new', changes: { permissions: { tenant: ['info:read'] } }, former: {} }],
    ['role_created', { name: 'old' }],
    ['role_deleted', { name: 'new' }],
  );
  expect([...roles]).toMatchObject([
    { name: 'old', isMade: false, isDeleted: true, permissions: { tenant: ['info:read'] } },
    { name: 'old', isMade: true, isDeleted: false, permissions: null },
  ]);
});

test('the token of before works until the earliest end that an event has given it', () => {
  const data = { name: 'ci', role_id: 5 };
  const { keys } = claimsOf(
    ['api_key_rotated', { ...data, grace_seconds: 3_600 }],
    ['api_key_rotated', { ...data, grace_seconds: 60 }],
    ['api_key_created', { ...data, division_id: 3 }],
  );
  expect([...keys.values()]).toMatchObject([
    {
      divisionId: null,
      isMade: true,
      closedAt: new Date(start),
      formerEndsAt: new Date(start + 61_000),
    },
    { divisionId: 3, isMade: true, closedAt: null, formerEndsAt: null },
  ]);
});

test('an event that this release cannot read is an error', () => {
  expect(() => claimsOf(['role_assigned', { role: 'ops' }])).toThrow('role');
});

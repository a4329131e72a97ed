import type { Member, RoleDetail } from '@sluice/client';
import { holdersOf } from './who-can.ts';

const member = (id: number, role_ids: number[], active = true): Member => ({
  ...{ id, role_ids, active, roles: role_ids.map(String) },
  ...{ name: `Member ${id}`, email: `member-${id}@acme.example`, created_at: '2026-03-14T09:26:53.589Z' },
});
const role = (id: number, environment: string[], overridden: string[]): RoleDetail => ({
  ...{ id, name: `role ${id}`, kind: 'custom' },
  permissions: {
    ...{ tenant: [], division: [], environment },
    divisions: { '12': { name: 'payments', permissions: [], environment: overridden, environments: {} } },
  },
});
const roles = [role(1, ['deployment:manage'], []), role(2, [], ['deployment:manage'])];
const members = [member(5, [1]), member(6, [2]), member(7, [1, 2]), member(8, [1, 2], false)];
const needed = { scope: 'environment', permission: 'deployment:manage' } as const;

test.each([
  [12, [6, 7], [[2], [2]]],
  [13, [5, 7], [[1], [1]]],
])('in division %i overrides stand in place of the defaults', (division, ids, by) => {
  const holders = holdersOf(members, roles, needed, { division, environment: 31 });
  expect(holders.map((one) => one.member.id)).toEqual(ids);
  expect(holders.map((one) => one.by.map(({ id }) => id))).toEqual(by);
});

import { memberChanges } from './member-changes.ts';

const member = { active: true, role_ids: [4, 2] };

test('what is as it was is left out', () =>
  expect(memberChanges(member, { active: true, roles: [2, 4] })).toEqual({}));

test('roles are sent whole', () =>
  expect(memberChanges(member, { active: false, roles: [11, 4] })).toEqual({
    active: false,
    roles: [4, 11],
  }));

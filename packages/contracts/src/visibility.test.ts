import { idOf, type DivisionId, type EnvironmentId } from './ids.ts';
import { compileRole, narrowToDivision } from './permissions.ts';
import {
  isClosedByOverride,
  seesDivision,
  seesEnvironment,
  visibleDivisions,
  visibleEnvironments,
} from './visibility.ts';

const nothing = { permissions: [], environment: [], environments: {} };

describe('a division is seen', () => {
  test.each([
    ['by whoever may list divisions', { tenant: ['division:read'] }, true],
    ['by whoever holds anything in divisions', { division: ['api_key:read'] }, true],
    ['by whoever holds anything in environments', { environment: ['info:read'] }, true],
    ['not by whoever holds other things of the tenant', { tenant: ['info:manage', 'member:manage'] }, false],
    [
      'not when an override grants nothing in it',
      { tenant: ['division:manage'], divisions: { 7: nothing } },
      false,
    ],
    [
      'when an override inherits something',
      { division: ['info:read'], divisions: { 7: { environment: [] } } },
      true,
    ],
    [
      'when an override opens one environment',
      { divisions: { 7: { environments: { 70: ['info:read'] } } } },
      true,
    ],
    [
      'when an override inherits something of its environments',
      { environment: ['info:read'], divisions: { 7: { permissions: [] } } },
      true,
    ],
    [
      'not when an override closes all of its environments one by one',
      { tenant: ['division:read'], divisions: { 7: { ...nothing, environments: { 70: [], 71: [] } } } },
      false,
    ],
    ['not when another is opened', { divisions: { 8: { permissions: ['info:read'] } } }, false],
  ])('%s', (_case, role, seen) => {
    expect(seesDivision(compileRole(role), idOf<DivisionId>(7))).toBe(seen);
  });

  test('by a key that is bound to it, and no other', () => {
    const bound = narrowToDivision(
      compileRole({ tenant: ['division:read'], division: ['info:read'] }),
      idOf<DivisionId>(7),
    );
    expect([seesDivision(bound, idOf<DivisionId>(7)), seesDivision(bound, idOf<DivisionId>(8))]).toEqual([
      true,
      false,
    ]);
    expect(visibleDivisions(bound)).toEqual({ byDefault: false, exceptions: [7] });
  });
});

describe('an environment is seen', () => {
  test.each([
    ['by whoever may list the environments of its division', { division: ['environment:read'] }, true],
    ['by whoever holds anything in environments', { environment: ['deployment:task:read'] }, true],
    ['not by whoever holds other things of the division', { division: ['info:manage'] }, false],
    [
      'not when an override grants nothing in it',
      { division: ['environment:manage'], divisions: { 7: { environments: { 70: [] } } } },
      false,
    ],
    ['when an override opens it', { divisions: { 7: { environments: { 70: ['info:read'] } } } }, true],
    ['not when its division is closed', { environment: ['info:read'], divisions: { 7: nothing } }, false],
  ])('%s', (_case, role, seen) => {
    expect(seesEnvironment(compileRole(role), idOf<DivisionId>(7), idOf<EnvironmentId>(70))).toBe(seen);
  });
});

describe('an environment is closed', () => {
  const open = { environment: ['info:read'] };
  const within = (override: object) => ({ ...open, divisions: { 7: override } });
  test.each([
    ['by its own override', within({ environments: { 70: [] } }), true],
    [
      'by its own, where the default grants nothing',
      { divisions: { 7: { environments: { 70: [] } } } },
      true,
    ],
    ["by its division's", within({ environment: [] }), true],
    [
      "not by its division's that its own opens",
      within({ environment: [], environments: { 70: ['info:read'] } }),
      false,
    ],
    ['not by an override that inherits', within({ permissions: [] }), false],
    ["not by another's", within({ environments: { 71: [] } }), false],
    ['not where nothing is granted anywhere', {}, false],
    ['not where nothing is granted, and an override is about the division', { divisions: { 7: {} } }, false],
  ])('%s', (_case, role, closed) => {
    const ids = [idOf<DivisionId>(7), idOf<EnvironmentId>(70)] as const;
    expect(isClosedByOverride(compileRole(role), ...ids)).toBe(closed);
  });
});

test('a list is told which of its entries are exceptions', () => {
  const permissions = compileRole({
    tenant: ['division:read'],
    division: ['environment:read'],
    divisions: {
      7: { environments: { 70: [], 71: ['info:read'] } },
      8: nothing,
    },
  });
  expect(visibleDivisions(permissions)).toEqual({ byDefault: true, exceptions: [8] });
  expect(visibleEnvironments(permissions, idOf<DivisionId>(7))).toEqual({
    byDefault: true,
    exceptions: [70],
  });
  expect(visibleEnvironments(permissions, idOf<DivisionId>(8))).toEqual({ byDefault: false, exceptions: [] });
  expect(visibleEnvironments(permissions, idOf<DivisionId>(9))).toEqual({ byDefault: true, exceptions: [] });
});

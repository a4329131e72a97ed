import { idOf, type DivisionId, type EnvironmentId } from './ids.ts';
import { allows, compileRole, narrowToDivision, type RolePermissionsInput } from './permissions.ts';
import {
  environmentsWith,
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

describe('environments with a permission', () => {
  const lists = ['deployment:read', 'info:read'];
  const roles: RolePermissionsInput[] = [
    {},
    { environment: lists },
    { environment: lists, divisions: { 7: nothing, 8: { environments: { 80: [] } } } },
    {
      environment: lists,
      divisions: { 7: { environment: [], environments: { 70: lists, 71: ['info:read'] } } },
    },
    {
      environment: ['info:read'],
      divisions: { 7: { environment: lists, environments: { 70: [], 71: lists } } },
    },
    { divisions: { 8: { environments: { 80: ['deployment:manage'] } } } },
  ];
  const permissions = roles.map((role) => compileRole(role));
  const bound = narrowToDivision(compileRole({ environment: lists }), idOf<DivisionId>(7));

  test.each([...permissions, bound])('are those in which it is allowed: %j', (held) => {
    const { byDefault, divisions, environments } = environmentsWith(held, 'deployment:read');
    for (const [division, environment] of [
      [7, 70],
      [7, 71],
      [7, 72],
      [8, 80],
      [8, 81],
      [9, 90],
    ] as [DivisionId, EnvironmentId][]) {
      const found = (byDefault !== divisions.includes(division)) !== environments.includes(environment);
      expect([environment, found]).toEqual([
        environment,
        allows(held, 'environment', 'deployment:read', { division, environment }),
      ]);
    }
  });
});

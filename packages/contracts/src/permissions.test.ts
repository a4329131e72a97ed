import { idOf, type DivisionId, type EnvironmentId } from './ids.ts';
import fc from 'fast-check';
import {
  allows,
  allowsSomewhere,
  compileRole,
  includes,
  intersect,
  mayGiveOrTake,
  narrowToDivision,
  noPermissions,
  permissionCatalogue,
  permissionsAt,
  rolePermissionsSchema,
  scopes,
  unite,
  writtenPermissions,
  type CompiledPermissions,
  type Permission,
  type Place,
  type RolePermissionsInput,
  type Scope,
} from './index.ts';

/** One question that can be asked of a set of permissions. */
interface Question {
  scope: Scope;
  permission: Permission;
  place: Place;
}

/** The divisions 1 to 3 and their environments 11 to 13 may be overridden; 4 and 14 never are. */
const overridable = { divisions: ['1', '2', '3'], environments: ['11', '12', '13'] };
const places: Place[] = [1, 2, 3, 4].flatMap((division) =>
  [undefined, 11, 12, 13, 14].map((environment) => ({
    division: idOf<DivisionId>(division),
    environment: environment === undefined ? undefined : idOf<EnvironmentId>(environment),
  })),
);
const questions: Question[] = scopes.flatMap((scope) =>
  permissionCatalogue[scope].flatMap(({ key }) =>
    places.map((place) => ({ scope, permission: key as Permission, place })),
  ),
);

/** Section 5, read word by word. */
function naively(role: RolePermissionsInput, { scope, permission, place }: Question): boolean {
  const granted = grantedAt(role, scope, place) ?? [];
  return granted.includes(permission) || granted.includes(permission.replace(/:read$/, ':manage'));
}

function grantedAt(
  role: RolePermissionsInput,
  scope: Scope,
  { division, environment }: Place,
): string[] | undefined {
  const override = role.divisions?.[String(division)];
  switch (scope) {
    case 'tenant':
      return role.tenant;
    case 'division':
      return override?.permissions ?? role.division;
    case 'environment':
      return override?.environments?.[String(environment)] ?? override?.environment ?? role.environment;
  }
}

const ask = (permissions: CompiledPermissions, { scope, permission, place }: Question) =>
  allows(permissions, scope, permission as Permission<typeof scope>, place);

const someOf = <T>(keys: string[], value: fc.Arbitrary<T>) =>
  fc
    .uniqueArray(fc.constantFrom(...keys))
    .chain((chosen) =>
      fc.record(Object.fromEntries(chosen.map((key) => [key, value])) as Record<string, fc.Arbitrary<T>>),
    );

/** Roles that grant some of the first `most` permissions of each scope; every field may also be left out. */
function roles(most = Number.POSITIVE_INFINITY): fc.Arbitrary<RolePermissionsInput> {
  const namesOf = (scope: Scope) =>
    fc.subarray(permissionCatalogue[scope].slice(0, most).map(({ key }) => key));
  const override = fc.record(
    {
      permissions: namesOf('division'),
      environment: namesOf('environment'),
      environments: someOf(overridable.environments, namesOf('environment')),
    },
    { requiredKeys: [] },
  );
  return fc.record(
    {
      tenant: namesOf('tenant'),
      division: namesOf('division'),
      environment: namesOf('environment'),
      divisions: someOf(overridable.divisions, override),
    },
    { requiredKeys: [] },
  );
}
const anyRole = roles();

/** The questions to which `expected` and `actual` answer differently: none. */
function expectSame(
  expected: (question: Question) => boolean,
  actual: (question: Question) => boolean,
): void {
  expect(questions.filter((question) => expected(question) !== actual(question))).toEqual([]);
}

describe('a role', () => {
  test('allows what section 5 says, with overrides at its three levels', () => {
    fc.assert(
      fc.property(anyRole, (role) => {
        const compiled = compileRole(role);
        expectSame(
          (question) => naively(role, question),
          (question) => ask(compiled, question),
        );
      }),
    );
  });

  test('lists what it holds in a place', () => {
    fc.assert(
      fc.property(anyRole, fc.constantFrom(...scopes), fc.constantFrom(...places), (role, scope, place) => {
        const held = questions
          .filter(
            (question) => question.scope === scope && question.place === place && naively(role, question),
          )
          .map(({ permission }) => permission);
        expect(permissionsAt(compileRole(role), scope, place)).toEqual(held);
      }),
    );
  });

  test('with manage holds read; with read alone it does not manage', () => {
    const managing = compileRole({ environment: ['deployment:manage'] });
    expect(permissionsAt(managing, 'environment', { division: idOf<DivisionId>(1) })).toEqual([
      'deployment:read',
      'deployment:manage',
    ]);
    const reading = compileRole({ environment: ['deployment:read'] });
    expect(allows(reading, 'environment', 'deployment:manage', { division: idOf<DivisionId>(1) })).toBe(
      false,
    );
  });

  test('is replaced by an override at the scope of the override only', () => {
    const role = compileRole({
      division: ['info:manage'],
      environment: ['deployment:manage'],
      divisions: { '1': { environments: { '11': ['info:read'], '12': [] } } },
    });
    expect(permissionsAt(role, 'division', { division: idOf<DivisionId>(1) })).toEqual([
      'info:read',
      'info:manage',
    ]);
    expect(permissionsAt(role, 'environment', { division: idOf<DivisionId>(1) })).toEqual([
      'deployment:read',
      'deployment:manage',
    ]);
    expect(
      permissionsAt(role, 'environment', {
        division: idOf<DivisionId>(1),
        environment: idOf<EnvironmentId>(11),
      }),
    ).toEqual(['info:read']);
    expect(
      permissionsAt(role, 'environment', {
        division: idOf<DivisionId>(1),
        environment: idOf<EnvironmentId>(12),
      }),
    ).toEqual([]);
    expect(
      permissionsAt(role, 'environment', {
        division: idOf<DivisionId>(1),
        environment: idOf<EnvironmentId>(13),
      }),
    ).toHaveLength(2);
    expect(
      permissionsAt(role, 'environment', {
        division: idOf<DivisionId>(2),
        environment: idOf<EnvironmentId>(11),
      }),
    ).toHaveLength(2);
  });

  test.each([
    [{ tenant: ['deployment:read'] }],
    [{ division: ['audit:manage'] }],
    [{ environment: ['toString'] }],
    [{ divisions: { '1': { environments: { '11': ['nonsense'] } } } }],
  ])('with a permission that does not exist there is refused: %j', (role) => {
    expect(rolePermissionsSchema.safeParse(role).success).toBe(false);
    expect(() => compileRole(role)).toThrow(RangeError);
  });

  test('never allows what is no permission at all', () => {
    const everything = compileRole({ tenant: ['info:read', 'info:manage'] });
    expect(allows(everything, 'tenant', 'nonsense' as Permission<'tenant'>)).toBe(false);
    expect(() => compileRole({ tenant: ['nonsense'] })).toThrow("'nonsense' is not a tenant permission");
  });

  test.each([
    [{ tenants: [] }],
    [{ tenant: 'info:read' }],
    [{ divisions: { main: {} } }],
    [{ divisions: { '01': {} } }],
    [{ divisions: { '1': { tenant: [] } } }],
    [{ divisions: { '1': { environments: { __proto__x: [] } } } }],
  ])('of another shape is refused: %j', (role) => {
    expect(rolePermissionsSchema.safeParse(role).success).toBe(false);
  });

  test('that the schema has completed means the same', () => {
    fc.assert(
      fc.property(anyRole, (role) => {
        expect(compileRole(rolePermissionsSchema.parse(role))).toEqual(compileRole(role));
      }),
    );
  });
});

describe('several roles', () => {
  test('allow what any of them allows', () => {
    fc.assert(
      fc.property(fc.array(anyRole, { maxLength: 4 }), (roles) => {
        const united = unite(roles.map(compileRole));
        expectSame(
          (question) => roles.some((role) => naively(role, question)),
          (question) => ask(united, question),
        );
      }),
    );
  });

  test('none at all allow nothing', () => {
    expect(unite([])).toEqual(noPermissions);
  });
});

describe('a key that acts as a user', () => {
  test('holds what its own role and one of the roles of the user allow', () => {
    fc.assert(
      fc.property(anyRole, fc.array(anyRole, { maxLength: 3 }), (own, ofUser) => {
        const limited = intersect(compileRole(own), unite(ofUser.map(compileRole)));
        expectSame(
          (question) => naively(own, question) && ofUser.some((role) => naively(role, question)),
          (question) => ask(limited, question),
        );
      }),
    );
  });

  test('never holds more than either', () => {
    fc.assert(
      fc.property(anyRole, anyRole, (own, ofUser) => {
        const limited = intersect(compileRole(own), compileRole(ofUser));
        expect(includes(compileRole(own), limited)).toBe(true);
        expect(includes(compileRole(ofUser), limited)).toBe(true);
      }),
    );
  });
});

describe('a key for one division', () => {
  test('holds in it what its roles allow there, and nothing anywhere else', () => {
    fc.assert(
      fc.property(anyRole, fc.constantFrom(1, 2, 3, 4), (role, division) => {
        const narrowed = narrowToDivision(compileRole(role), idOf<DivisionId>(division));
        expectSame(
          (question) =>
            question.scope !== 'tenant' && question.place.division === division && naively(role, question),
          (question) => ask(narrowed, question),
        );
      }),
    );
  });
});

describe('what may be given and taken', () => {
  const may = (permissions: CompiledPermissions, changed: CompiledPermissions, owner = false) =>
    mayGiveOrTake({ owner, permissions }, changed);
  // of few permissions, so that one role often includes the other
  const few = roles(1).map(compileRole);

  test('is what the caller holds: never more than that, and all that is part of it', () => {
    fc.assert(
      fc.property(few, few, (held, changed) => {
        const beyond = questions.some((question) => ask(changed, question) && !ask(held, question));
        expect(may(held, changed)).toBe(!beyond);
        expect(may(held, intersect(held, changed))).toBe(true);
        expect(may(unite([held, changed]), changed)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('of a change is what is taken and what is given', () => {
    fc.assert(
      fc.property(few, few, few, (held, former, next) => {
        expect(may(held, unite([former, next]))).toBe(may(held, former) && may(held, next));
      }),
      { numRuns: 2_000 },
    );
  });

  test('by a key is what both the key and its user may, in its division alone', () => {
    fc.assert(
      fc.property(few, few, few, fc.constantFrom(1, 2, 3, 4), (own, user, changed, id) => {
        const key = intersect(own, user);
        expect(may(key, changed)).toBe(may(own, changed) && may(user, changed));
        const division = idOf<DivisionId>(id);
        const inDivision = narrowToDivision(changed, division);
        expect(may(narrowToDivision(key, division), inDivision)).toBe(may(key, inDivision));
        if (changed.t !== 0) expect(may(narrowToDivision(key, division), changed)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  test('by the owner is everything', () => {
    fc.assert(fc.property(anyRole, (role) => expect(may(noPermissions, compileRole(role), true)).toBe(true)));
  });
});

test('what compiled permissions are written as compiles into them again', () => {
  fc.assert(
    fc.property(roles(), roles(), (one, other) => {
      const compiled = intersect(compileRole(one), compileRole(other));
      const written = writtenPermissions(compiled);
      expect(compileRole(rolePermissionsSchema.parse(written))).toEqual(compiled);
    }),
    { numRuns: 500 },
  );
});

describe('what is part of other permissions', () => {
  test('is exactly what they hold in every place', () => {
    fc.assert(
      // of few permissions, so that one role often includes the other
      fc.property(roles(1), roles(1), (outer, inner) => {
        const expected = questions.every((question) => !naively(inner, question) || naively(outer, question));
        expect(includes(compileRole(outer), compileRole(inner))).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  test('includes every part of what is held', () => {
    fc.assert(
      fc.property(anyRole, anyRole, fc.constantFrom(1, 2, 3, 4), (one, other, division) => {
        const united = unite([compileRole(one), compileRole(other)]);
        expect(includes(united, compileRole(one))).toBe(true);
        expect(includes(united, narrowToDivision(united, idOf<DivisionId>(division)))).toBe(true);
        expect(includes(united, noPermissions)).toBe(true);
      }),
    );
  });

  test('does not include a default from the place of an override', () => {
    const one = compileRole({ divisions: { '1': { permissions: ['info:read'] } } });
    expect(includes(one, compileRole({ division: ['info:read'] }))).toBe(false);
  });
});

test('what divisions shall have one day says that it opens nothing yet', () => {
  const reserved = permissionCatalogue.division.filter(({ description }) =>
    description.startsWith('Reserved'),
  );
  expect(reserved.map(({ key }) => key)).toEqual([
    'settings:read',
    'settings:manage',
    'role:read',
    'role:manage',
    'member:read',
    'member:manage',
  ]);
});

test.each([
  [{ tenant: ['audit:read'] }, false],
  [{ division: ['audit:read'] }, true],
  [{ division: ['audit:read'], divisions: { 5: { permissions: [] } } }, true],
  [{ divisions: { 5: { permissions: ['audit:read'] } } }, true],
  [{ divisions: { 5: { permissions: ['info:read'] } } }, false],
])('%j allows audit:read somewhere: %s', (role, expected) => {
  expect(allowsSomewhere(compileRole(role), 'division', 'audit:read')).toBe(expected);
});

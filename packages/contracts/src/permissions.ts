import { z } from 'zod';
import { idOf, type DivisionId, type EnvironmentId } from './ids.ts';
import {
  isPermission,
  permissionCatalogue,
  permissionPositions,
  type Permission,
  type Scope,
} from './permission-catalogue.ts';

/**
 * Who may do what (interface, section 5). Everything here is a pure function: a role's permissions object is
 * compiled once into one integer per scope, and `allows` is a lookup and a bit test.
 */

function bitsOf(scope: Scope, permissions: readonly string[]): number {
  let bits = 0;
  for (const permission of permissions) {
    const position = permissionPositions[scope].get(permission);
    if (position === undefined) throw new RangeError(`'${permission}' is not a ${scope} permission`);
    bits |= 1 << position;
    // manage includes read, which the catalogue lists just before it
    if (permission.endsWith(':manage')) bits |= 1 << (position - 1);
  }
  return bits;
}

function namesOf(scope: Scope, bits: number): string[] {
  return permissionCatalogue[scope].filter((_, position) => bits & (1 << position)).map(({ key }) => key);
}

const permissionList = (scope: Scope) =>
  z.array(z.string().refine((name): boolean => isPermission(scope, name), `not a ${scope} permission`));
const idKey = z.string().regex(/^[1-9][0-9]{0,15}$/, 'not an id');

/** Section 2.8: a division's override of a role's defaults. An omitted field inherits, an empty array grants nothing. */
export const divisionOverrideSchema = z.strictObject({
  permissions: permissionList('division').optional(),
  environment: permissionList('environment').optional(),
  environments: z.record(idKey, permissionList('environment')).optional(),
});

/** Section 2.8: the permissions object of a role. */
export const rolePermissionsSchema = z.strictObject({
  tenant: permissionList('tenant').default([]),
  division: permissionList('division').default([]),
  environment: permissionList('environment').default([]),
  divisions: z.record(idKey, divisionOverrideSchema).default({}),
});
export type RolePermissions = z.infer<typeof rolePermissionsSchema>;
export type RolePermissionsInput = z.input<typeof rolePermissionsSchema>;

/** What a set of permissions comes to: one integer per scope, and one per overridden division and environment. */
export interface CompiledPermissions {
  /** tenant-scope bits */
  t: number;
  /** division-scope bits, the default for every division */
  d: number;
  /** environment-scope bits, the default for every environment */
  e: number;
  /** overridden divisions by id */
  divisions: Record<string, CompiledDivision>;
}

export interface CompiledDivision {
  d: number;
  e: number;
  environments: Record<string, number>;
}

export const noPermissions: CompiledPermissions = { t: 0, d: 0, e: 0, divisions: {} };

/** Compiles one role (section 5.1: an override replaces that role's default at its own scope only). */
export function compileRole(role: RolePermissionsInput): CompiledPermissions {
  const d = bitsOf('division', role.division ?? []);
  const e = bitsOf('environment', role.environment ?? []);
  const divisions: Record<string, CompiledDivision> = {};
  for (const [id, override] of Object.entries(role.divisions ?? {})) {
    divisions[id] = {
      d: override.permissions ? bitsOf('division', override.permissions) : d,
      e: override.environment ? bitsOf('environment', override.environment) : e,
      environments: Object.fromEntries(
        Object.entries(override.environments ?? {}).map(([env, names]) => [
          env,
          bitsOf('environment', names),
        ]),
      ),
    };
  }
  return { t: bitsOf('tenant', role.tenant ?? []), d, e, divisions };
}

/** A permissions object that compiles into these permissions. */
export function writtenPermissions({ t, d, e, divisions }: CompiledPermissions): RolePermissions {
  return {
    tenant: namesOf('tenant', t),
    division: namesOf('division', d),
    environment: namesOf('environment', e),
    divisions: mapValues(divisions, (override) => ({
      permissions: namesOf('division', override.d),
      environment: namesOf('environment', override.e),
      environments: mapValues(override.environments, (bits) => namesOf('environment', bits)),
    })),
  };
}

const mapValues = <From, To>(record: Record<string, From>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));

/** Combines several roles (section 5.1: permissions from separate roles combine). */
export function unite(roles: readonly CompiledPermissions[]): CompiledPermissions {
  return combine(roles, (one, other) => one | other);
}

/** What both hold: a key acts as its user, limited to its role. */
export function intersect(one: CompiledPermissions, other: CompiledPermissions): CompiledPermissions {
  return combine([one, other], (mine, theirs) => mine & theirs);
}

/** What one holds and the other does not, in each place that either of them names. */
export function subtract(one: CompiledPermissions, other: CompiledPermissions): CompiledPermissions {
  return combine([one, other], (mine, theirs) => mine & ~theirs);
}

type Join = (one: number, other: number) => number;

function combine(all: readonly CompiledPermissions[], join: Join): CompiledPermissions {
  const combined: CompiledPermissions = {
    t: joined(all, join, ({ t }) => t),
    d: joined(all, join, ({ d }) => d),
    e: joined(all, join, ({ e }) => e),
    divisions: {},
  };
  for (const id of keysOf(all.map(({ divisions }) => divisions))) {
    const overrides = all.map(({ d, e, divisions }) => divisions[id] ?? { d, e, environments: {} });
    combined.divisions[id] = {
      d: joined(overrides, join, ({ d }) => d),
      e: joined(overrides, join, ({ e }) => e),
      environments: Object.fromEntries(
        keysOf(overrides.map(({ environments }) => environments)).map((env) => [
          env,
          joined(overrides, join, ({ e, environments }) => environments[env] ?? e),
        ]),
      ),
    };
  }
  return combined;
}

function joined<T>(items: readonly T[], join: Join, bitsOf: (item: T) => number): number {
  const [first = 0, ...others] = items.map(bitsOf);
  return others.reduce(join, first);
}

const keysOf = (maps: readonly object[]) => [...new Set(maps.flatMap((map) => Object.keys(map)))];

/** Narrows permissions to one division, as a division-scoped key has them: nothing outside of it. */
export function narrowToDivision(
  permissions: CompiledPermissions,
  divisionId: DivisionId,
): CompiledPermissions {
  const division = permissions.divisions[divisionId] ?? {
    d: permissions.d,
    e: permissions.e,
    environments: {},
  };
  return { t: 0, d: 0, e: 0, divisions: { [divisionId]: division } };
}

/**
 * Where a permission is asked for. Division scope needs `division`; environment scope `division`, and
 * `environment` unless the question is about the division's environments in general.
 */
export interface Place {
  division?: DivisionId | undefined;
  environment?: EnvironmentId | undefined;
}

/** Whether `permissions` hold `permission` at `scope` in `place` (section 5). */
export function allows<S extends Scope>(
  permissions: CompiledPermissions,
  scope: S,
  permission: Permission<S>,
  place: Place = {},
): boolean {
  const position = positionOf(scope, permission);
  return position !== undefined && (bitsAt(permissions, scope, place) & (1 << position)) !== 0;
}

/** Whether `permissions` hold `permission` at `scope` in any place at all. */
export function allowsSomewhere<S extends Scope>(
  permissions: CompiledPermissions,
  scope: S,
  permission: Permission<S>,
): boolean {
  const places = Object.entries(permissions.divisions).flatMap(([id, { environments }]): Place[] => {
    const division = idOf<DivisionId>(id);
    const inDivision = Object.keys(environments).map((key) => ({
      division,
      environment: idOf<EnvironmentId>(key),
    }));
    return [{ division }, ...inDivision];
  });
  return [{}, ...places].some((place) => allows(permissions, scope, permission, place));
}

/** A `switch` makes the whole check a third faster than `permissionPositions[scope]` (bench/permissions). */
function positionOf(scope: Scope, permission: string): number | undefined {
  switch (scope) {
    case 'tenant':
      return permissionPositions.tenant.get(permission);
    case 'division':
      return permissionPositions.division.get(permission);
    case 'environment':
      return permissionPositions.environment.get(permission);
  }
}

function bitsAt(permissions: CompiledPermissions, scope: Scope, { division, environment }: Place): number {
  if (scope === 'tenant') return permissions.t;
  const override = division === undefined ? undefined : permissions.divisions[division];
  if (scope === 'division') return override ? override.d : permissions.d;
  if (!override) return permissions.e;
  return (environment === undefined ? undefined : override.environments[environment]) ?? override.e;
}

/** The names that `permissions` hold at `scope` in `place`, in catalogue order. */
export function permissionsAt(permissions: CompiledPermissions, scope: Scope, place: Place = {}): string[] {
  return namesOf(scope, bitsAt(permissions, scope, place));
}

/** Whether `outer` holds everything that `inner` holds, wherever. */
export function includes(outer: CompiledPermissions, inner: CompiledPermissions): boolean {
  const holds = (mine: number, theirs: number) => (theirs & ~mine) === 0;
  if (!holds(outer.t, inner.t) || !holds(outer.d, inner.d) || !holds(outer.e, inner.e)) return false;
  return keysOf([outer.divisions, inner.divisions]).every((id) => {
    const mine = outer.divisions[id] ?? { d: outer.d, e: outer.e, environments: {} };
    const theirs = inner.divisions[id] ?? { d: inner.d, e: inner.e, environments: {} };
    return (
      holds(mine.d, theirs.d) &&
      holds(mine.e, theirs.e) &&
      keysOf([mine.environments, theirs.environments]).every((env) =>
        holds(mine.environments[env] ?? mine.e, theirs.environments[env] ?? theirs.e),
      )
    );
  });
}

/**
 * Whether a caller may give these permissions to others, or take them away (interface, section 5): the caller holds all of
 * them, at each scope and place, or is the owner of the tenant. A change from one set to another concerns both: `unite` them.
 */
export function mayGiveOrTake(
  { owner, permissions }: { owner: boolean; permissions: CompiledPermissions },
  changed: CompiledPermissions,
): boolean {
  return owner || includes(permissions, changed);
}

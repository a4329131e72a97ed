import {
  idOf,
  permissionsAt,
  seesDivision,
  seesEnvironment,
  type CompiledPermissions,
  type DivisionId,
  type EnvironmentId,
  type Place,
  type RolePermissions,
  type Scope,
  type TenantId,
} from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { Database } from '@sluice/main-store/database';
import type { components } from '../../../generated/api.ts';
import { findDivisionNames } from '@sluice/main-store/divisions.store';
import { findEnvironments } from '@sluice/main-store/environments.store';

type Schemas = components['schemas'];

/** A part of a permissions object: what it grants at a scope in a place. */
export interface PermissionPart {
  scope: Scope;
  source: Schemas['PermissionGrant']['source'];
  place: Place;
  permissions: string[];
}

/** The parts that a permissions object states: its defaults that grant anything, and its overrides, also those that grant nothing. */
export function statedParts(written: RolePermissions, compiled: CompiledPermissions): PermissionPart[] {
  const part = (scope: Scope, source: PermissionPart['source'], place: Place): PermissionPart => ({
    ...{ scope, source, place, permissions: permissionsAt(compiled, scope, place) },
  });
  const defaults = (['tenant', 'division', 'environment'] as const)
    .map((scope) => part(scope, 'default', {}))
    .filter(({ permissions }) => permissions.length > 0);
  const overrides = Object.entries(written.divisions).flatMap(([key, override]) => {
    const division = idOf<DivisionId>(key);
    return [
      ...(override.permissions ? [part('division', 'division_override', { division })] : []),
      ...(override.environment ? [part('environment', 'division_override', { division })] : []),
      ...Object.keys(override.environments ?? {}).map((id) =>
        part('environment', 'environment_override', { division, environment: idOf<EnvironmentId>(id) }),
      ),
    ];
  });
  return [...defaults, ...overrides];
}

/** The parts of permissions that differ from what stands above them, which is nothing above the defaults. */
export function differingParts(compiled: CompiledPermissions): Omit<PermissionPart, 'source'>[] {
  const part = (scope: Scope, place: Place) => ({
    ...{ scope, place, permissions: permissionsAt(compiled, scope, place) },
  });
  const differs = (one: string[], other: string[]) => one.join() !== other.join();
  const defaults = { division: part('division', {}), environment: part('environment', {}) };
  const overrides = Object.entries(compiled.divisions).flatMap(([key, { environments }]) => {
    const division = idOf<DivisionId>(key);
    const [own, inDivision] = [part('division', { division }), part('environment', { division })];
    const each = Object.keys(environments).map((id) =>
      part('environment', { division, environment: idOf<EnvironmentId>(id) }),
    );
    return [
      ...(differs(own.permissions, defaults.division.permissions) ? [own] : []),
      ...(differs(inDivision.permissions, defaults.environment.permissions) ? [inDivision] : []),
      ...each.filter(({ permissions }) => differs(permissions, inDivision.permissions)),
    ];
  });
  const granting = [part('tenant', {}), defaults.division, defaults.environment].filter(
    ({ permissions }) => permissions.length > 0,
  );
  return [...granting, ...overrides];
}

/** Such a part with its place by name. */
type Placed<Part> = Omit<Part, 'place'> & Pick<Schemas['PermissionGrant'], 'division' | 'environment'>;

/**
 * Names the places of such parts as far as the reader may see them. Those of divisions and environments that are gone are left out.
 */
export async function withPlaces<Part extends { place: Place }>(
  db: Database,
  tenantId: TenantId,
  { permissions: seen }: Pick<Caller, 'permissions'>,
  parts: readonly Part[],
): Promise<Placed<Part>[]> {
  const divisions = await findDivisionNames(db, tenantId, defined(parts.map(({ place }) => place.division)));
  const environments = await findEnvironments(
    db,
    tenantId,
    defined(parts.map(({ place }) => place.environment)),
  );
  return parts.flatMap(({ place, ...part }): Placed<Part>[] => {
    const { division, environment } = place;
    const none = { division: null, environment: null };
    if (division === undefined) return [{ ...part, ...none }];
    const name = divisions.get(division);
    if (name === undefined) return [];
    const inDivision = { id: division, name: seesDivision(seen, division) ? name : null };
    if (environment === undefined) return [{ ...part, ...none, division: inDivision }];
    const row = environments.get(environment);
    if (row?.division_id !== division) return [];
    const isSeen = seesEnvironment(seen, division, environment);
    const inEnvironment = { id: environment, name: isSeen ? row.name : null };
    return [{ ...part, division: inDivision, environment: inEnvironment }];
  });
}

const defined = <Id>(ids: readonly (Id | undefined)[]): Id[] => [
  ...new Set(ids.filter((id) => id !== undefined)),
];

import { idOf, type DivisionId, type EnvironmentId, type Id } from './ids.ts';
import type { Permission } from './permission-catalogue.ts';
import { allows, type CompiledDivision, type CompiledPermissions, type Place } from './permissions.ts';

/**
 * What lists, the structure and the summaries may show: those divisions and environments in which the caller holds
 * anything, or whose list the caller may read, unless an override says of that very one that it grants nothing.
 */

/** Whether a division may be shown to the holder of `permissions`. */
export function seesDivision(permissions: CompiledPermissions, divisionId: DivisionId): boolean {
  const override = permissions.divisions[divisionId];
  if (override) return holdsAnything(override);
  return permissions.d !== 0 || permissions.e !== 0 || allows(permissions, 'tenant', 'division:read');
}

/** Whether an environment of a division may be shown to the holder of `permissions`. */
export function seesEnvironment(
  permissions: CompiledPermissions,
  divisionId: DivisionId,
  environmentId: EnvironmentId,
): boolean {
  const override = permissions.divisions[divisionId]?.environments[environmentId];
  return override === undefined ? seesEnvironmentsOf(permissions, divisionId) : override !== 0;
}

/** Whether an override closes an environment: its own grants nothing, or that of its division where the default grants something. */
export function isClosedByOverride(
  permissions: CompiledPermissions,
  divisionId: DivisionId,
  environmentId: EnvironmentId,
): boolean {
  const division = permissions.divisions[divisionId];
  const override = division?.environments[environmentId];
  return override === undefined ? division?.e === 0 && permissions.e !== 0 : override === 0;
}

/** The same for a whole list, as a query can take it: an id is visible by default unless it is an exception. */
export interface Visibility<Kind extends Id> {
  byDefault: boolean;
  exceptions: Kind[];
}

/** Which divisions of a tenant may be shown. */
export function visibleDivisions(permissions: CompiledPermissions): Visibility<DivisionId> {
  const byDefault = seesDivision({ ...permissions, divisions: {} }, idOf<DivisionId>(0));
  return visibility(byDefault, permissions.divisions, (id) => seesDivision(permissions, id));
}

/** Which environments of a division may be shown. */
export function visibleEnvironments(
  permissions: CompiledPermissions,
  divisionId: DivisionId,
): Visibility<EnvironmentId> {
  const overrides = permissions.divisions[divisionId]?.environments ?? {};
  return visibility(seesEnvironmentsOf(permissions, divisionId), overrides, (id) =>
    seesEnvironment(permissions, divisionId, id),
  );
}

/** Whether the environments of a division that are not overridden may be shown. */
function seesEnvironmentsOf(permissions: CompiledPermissions, divisionId: DivisionId): boolean {
  const e = permissions.divisions[divisionId]?.e ?? permissions.e;
  return e !== 0 || allows(permissions, 'division', 'environment:read', { division: divisionId });
}

/**
 * In which environments a permission is held, as a query can take it: by default, except in the environments of these divisions,
 * and again except in these environments.
 */
export interface HeldIn {
  byDefault: boolean;
  divisions: DivisionId[];
  environments: EnvironmentId[];
}

export function environmentsWith(
  permissions: CompiledPermissions,
  permission: Permission<'environment'>,
): HeldIn {
  const holds = (place: Place) => allows(permissions, 'environment', permission, place);
  const byDefault = holds({});
  const heldIn: HeldIn = { byDefault, divisions: [], environments: [] };
  for (const [key, { environments }] of Object.entries(permissions.divisions)) {
    const division = idOf<DivisionId>(key);
    const inDivision = holds({ division });
    if (inDivision !== byDefault) heldIn.divisions.push(division);
    for (const id of Object.keys(environments)) {
      const environment = idOf<EnvironmentId>(id);
      if (holds({ division, environment }) !== inDivision) heldIn.environments.push(environment);
    }
  }
  return heldIn;
}

function visibility<Kind extends Id>(
  byDefault: boolean,
  overrides: object,
  sees: (id: Kind) => boolean,
): Visibility<Kind> {
  const exceptions = Object.keys(overrides)
    .map((id) => idOf<Kind>(id))
    .filter((id) => sees(id) !== byDefault);
  return { byDefault, exceptions };
}

const holdsAnything = ({ d, e, environments }: CompiledDivision) =>
  d !== 0 || e !== 0 || Object.values(environments).some((bits) => bits !== 0);

import type { PermissionsDetail } from '@sluice/client';
import type { PlaceKind, PlaceOf } from '../../places.ts';

/** Permissions that are granted together. */
export interface Right {
  permissions: string[];
  where: string;
  /** the part of the permissions object that grants them */
  source: string;
}

/** Paths of places, by their ids. */
export interface Names {
  divisions: ReadonlyMap<string, string>;
  environments: ReadonlyMap<string, string>;
}

type Place = PlaceOf[PlaceKind];

/**
 * What a permissions object grants (interface, 5.1): everything, or what holds at one place. An override that grants the same as what it
 * stands for is none: a system role shows one for each division.
 */
export function rightsOf(detail: PermissionsDetail, names: Names, place?: Place): Right[] {
  if (place) return [rightAt(detail, names, place)];
  const overrides = Object.keys(detail.divisions).flatMap((division) => {
    const environments = Object.keys(detail.divisions[division]?.environments ?? {});
    return [
      divisionRight(detail, names, division),
      ...environmentsRight(detail, names, division),
      ...environments.map((environment) => environmentRight(detail, names, division, environment)),
    ].filter(({ source }) => source.startsWith('override'));
  });
  return [
    { permissions: detail.tenant, where: 'the tenant', source: 'tenant' },
    { permissions: detail.division, where: 'divisions', source: 'default of divisions' },
    { permissions: detail.environment, where: 'environments', source: 'default of environments' },
    ...overrides,
  ];
}

function rightAt(detail: PermissionsDetail, names: Names, place: Place): Right {
  const division = String(place.division_id);
  return place.kind === 'division'
    ? divisionRight(detail, names, division)
    : environmentRight(detail, names, division, String(place.environment_id));
}

const pathOf = (names: ReadonlyMap<string, string>, id: string, kind: string): string =>
  names.get(id) ?? `${kind} ${id}`;

function divisionRight(detail: PermissionsDetail, names: Names, division: string): Right {
  const where = pathOf(names.divisions, division, 'division');
  const override = detail.divisions[division]?.permissions;
  return isOther(override, detail.division)
    ? { permissions: override, where, source: `override of ${where}` }
    : { permissions: detail.division, where, source: 'default of divisions' };
}

/** What an override of a division grants in its environments. */
function environmentsRight(detail: PermissionsDetail, names: Names, division: string): Right[] {
  const where = pathOf(names.divisions, division, 'division');
  const override = detail.divisions[division]?.environment;
  if (!isOther(override, detail.environment)) return [];
  return [{ permissions: override, where: `environments of ${where}`, source: `override of ${where}` }];
}

function environmentRight(
  detail: PermissionsDetail,
  names: Names,
  division: string,
  environment: string,
): Right {
  const where = pathOf(names.environments, environment, 'environment');
  const inDivision = detail.divisions[division];
  const own = inDivision?.environments[environment]?.permissions;
  if (isOther(own, inDivision?.environment ?? detail.environment))
    return { permissions: own, where, source: `override of ${where}` };
  const [right] = environmentsRight(detail, names, division);
  return right
    ? { ...right, where }
    : { permissions: detail.environment, where, source: 'default of environments' };
}

const isOther = (override: string[] | undefined, inherited: readonly string[]): override is string[] =>
  override !== undefined && [...override].sort().join() !== [...inherited].sort().join();

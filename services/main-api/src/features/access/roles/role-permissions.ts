import {
  idOf,
  rolePermissionsSchema,
  type DivisionId,
  type EnvironmentId,
  type Features,
  type RolePermissions,
  type TenantId,
} from '@sluice/contracts';
import { problem } from '@sluice/service';
import { requireRoom } from '@sluice/catalogue/features';
import type { Database } from '@sluice/main-store/database';
import type { components } from '../../../generated/api.ts';
import { findDivisionNames } from '@sluice/main-store/divisions.store';
import { findEnvironments } from '@sluice/main-store/environments.store';

export type PermissionsInput = components['schemas']['PermissionsInput'];

/**
 * Checks a permissions object that a caller sent: known permissions, overrides of what exists, and not more of them
 * than the plan allows.
 * @param path of the object in the body
 * @throws Problem `invalid_request` naming each bad place; `limit_reached`
 */
export async function checkedPermissions(
  db: Database,
  tenantId: TenantId,
  features: Features,
  input: PermissionsInput,
  path: string,
): Promise<RolePermissions> {
  refuseOtherKeys(input, path);
  const result = rolePermissionsSchema.safeParse(grantedBy(input));
  if (!result.success) {
    throw problem('invalid_request', {
      fieldIssues: result.error.issues.map((issue) => ({
        path: [path, ...issue.path].map(String).join('/'),
        code: 'not_allowed',
        message: issue.message,
      })),
    });
  }
  await requireExisting(db, tenantId, result.data, path);
  requireFewOverrides(features, result.data);
  return result.data;
}

/** What is overridden is named by its id: `__proto__` would be lost on the way, and nothing may be. */
function refuseOtherKeys({ divisions }: PermissionsInput, path: string): void {
  const otherKeys = (overrides: object | null | undefined, place: string) =>
    Object.keys(overrides ?? {})
      .filter((key) => !/^[1-9][0-9]{0,15}$/.test(key))
      .map((key) => `${place}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  const places = [
    ...otherKeys(divisions, `${path}/divisions`),
    ...Object.entries(divisions ?? {}).flatMap(([id, override]) =>
      otherKeys(override.environments, `${path}/divisions/${id}/environments`),
    ),
  ];
  refuseUnknown(places);
}

/** Without the names that a role is shown with, and without what is null, which means the same as leaving it out. */
const grantedBy = ({ divisions, ...defaults }: PermissionsInput): object => ({
  ...withoutNulls(defaults),
  divisions: mapped(divisions, ({ permissions, environment, environments }) => ({
    ...withoutNulls({ permissions, environment }),
    environments: mapped(environments, (given) => (Array.isArray(given) ? given : given.permissions)),
  })),
});

const withoutNulls = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== null && field !== undefined));

function mapped<Value>(
  values: Record<string, Value> | null | undefined,
  map: (value: Value) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values ?? {}).map(([key, value]) => [key, map(value)]));
}

async function requireExisting(
  db: Database,
  tenantId: TenantId,
  { divisions }: RolePermissions,
  path: string,
): Promise<void> {
  const overrides = Object.entries(divisions);
  const environmentIds = overrides.flatMap(([, override]) => Object.keys(override.environments ?? {}));
  const existing = await findDivisionNames(
    db,
    tenantId,
    Object.keys(divisions).map((id) => idOf<DivisionId>(id)),
  );
  const existingEnvironments = await findEnvironments(
    db,
    tenantId,
    environmentIds.map((id) => idOf<EnvironmentId>(id)),
  );
  const unknown = overrides.flatMap(([id, override]) => [
    ...(existing.has(idOf<DivisionId>(id)) ? [] : [`${path}/divisions/${id}`]),
    ...Object.keys(override.environments ?? {})
      .filter(
        (environment) =>
          existingEnvironments.get(idOf<EnvironmentId>(environment))?.division_id !== Number(id),
      )
      .map((environment) => `${path}/divisions/${id}/environments/${environment}`),
  ]);
  refuseUnknown(unknown);
}

function refuseUnknown(places: string[]): void {
  if (places.length === 0) return;
  throw problem('invalid_request', {
    fieldIssues: places.map((path) => ({ path, code: 'unknown', message: 'does not exist' })),
  });
}

function requireFewOverrides(features: Features, { divisions }: RolePermissions): void {
  const requireAtMost = (
    name: 'divisions_per_role_limit' | 'environments_per_division_limit',
    overrides: object,
  ) => requireRoom(features, name, Object.keys(overrides).length - 1);
  requireAtMost('divisions_per_role_limit', divisions);
  for (const { environments = {} } of Object.values(divisions))
    requireAtMost('environments_per_division_limit', environments);
}

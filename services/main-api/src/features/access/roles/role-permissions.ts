import {
  idOf,
  permissionsAt,
  rolePermissionsSchema,
  type CompiledPermissions,
  type DivisionId,
  type EnvironmentId,
  type Features,
  type RolePermissions,
  type TenantId,
} from '@sluice/contracts';
import { problem } from '@sluice/service-kit';
import { requireRoom } from '../../../catalogue/features.ts';
import type { Database } from '../../../database.ts';
import type { components } from '../../../generated/api.ts';
import { findDivisionNames, listAllDivisions } from '../../../stores/divisions.store.ts';
import { findEnvironments } from '../../../stores/environments.store.ts';

export type PermissionsDetail = components['schemas']['PermissionsDetail'];
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
  const result = rolePermissionsSchema.safeParse(withoutNulls(input));
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

/** Null means the same as leaving a field out. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNulls(field)]));
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
  if (unknown.length === 0) return;
  throw problem('invalid_request', {
    fieldIssues: unknown.map((place) => ({ path: place, code: 'unknown', message: 'does not exist' })),
  });
}

function requireFewOverrides(features: Features, { divisions }: RolePermissions): void {
  const requireAtMost = (
    name: 'divisions_per_role_limit' | 'environments_per_division_limit',
    overrides: object,
  ) => requireRoom(name, features[name], Object.keys(overrides).length - 1);
  requireAtMost('divisions_per_role_limit', divisions);
  for (const { environments = {} } of Object.values(divisions))
    requireAtMost('environments_per_division_limit', environments);
}

/** Writes permissions out for people to read, with the names of what they override (interface, 4.6). */
export async function describePermissions(
  db: Database,
  tenantId: TenantId,
  permissions: CompiledPermissions,
): Promise<PermissionsDetail> {
  const ids = Object.keys(permissions.divisions).map((id) => idOf<DivisionId>(id));
  const names = await findDivisionNames(db, tenantId, ids);
  const environmentIds = Object.values(permissions.divisions).flatMap((division) =>
    Object.keys(division.environments),
  );
  const environments = await findEnvironments(
    db,
    tenantId,
    environmentIds.map((id) => idOf<EnvironmentId>(id)),
  );
  const divisions = [...names].map(([id, name]) => {
    const overridden = Object.keys(permissions.divisions[id]?.environments ?? {}).map((key) =>
      idOf<EnvironmentId>(key),
    );
    return [
      id,
      {
        name,
        permissions: permissionsAt(permissions, 'division', { division: id }),
        environment: permissionsAt(permissions, 'environment', { division: id }),
        environments: Object.fromEntries(
          overridden.flatMap((environment) => {
            const found = environments.get(environment);
            if (!found) return [];
            const place = { division: id, environment };
            return [
              [
                environment,
                { name: found.name, permissions: permissionsAt(permissions, 'environment', place) },
              ],
            ];
          }),
        ),
      },
    ] as const;
  });
  return {
    tenant: permissionsAt(permissions, 'tenant'),
    division: permissionsAt(permissions, 'division'),
    environment: permissionsAt(permissions, 'environment'),
    divisions: Object.fromEntries(divisions),
  };
}

/**
 * The same for a system role, whose environment grants are shown for each division (interface, 5.5): they are not
 * stored with the divisions, they are what its defaults come to.
 */
export async function describeSystemRole(
  db: Database,
  tenantId: TenantId,
  permissions: CompiledPermissions,
): Promise<PermissionsDetail> {
  const { d, e } = permissions;
  const all = e === 0 ? [] : await listAllDivisions(db, tenantId);
  const divisions = Object.fromEntries(all.map(({ id }) => [id, { d, e, environments: {} }]));
  return await describePermissions(db, tenantId, { ...permissions, divisions });
}

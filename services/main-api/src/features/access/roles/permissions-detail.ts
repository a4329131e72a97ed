import {
  idOf,
  permissionsAt,
  seesDivision,
  seesEnvironment,
  type CompiledDivision,
  type CompiledPermissions,
  type DivisionId,
  type EnvironmentId,
  type TenantId,
} from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { Database } from '@sluice/main-store/database';
import type { components } from '../../../generated/api.ts';
import { findDivisionNames, listAllDivisions } from '@sluice/main-store/divisions.store';
import { type EnvironmentRow, findEnvironments } from '@sluice/main-store/environments.store';

export type PermissionsDetail = components['schemas']['PermissionsDetail'];

/**
 * Writes permissions out for people to read, with the names of what they override as far as the reader may see it
 * (interface, 4.6). The overrides themselves are all there: who changes a role sends back what was read.
 */
export async function describePermissions(
  db: Database,
  tenantId: TenantId,
  permissions: CompiledPermissions,
  reader: Pick<Caller, 'permissions'>,
): Promise<PermissionsDetail> {
  const overrides = Object.entries(permissions.divisions).map(
    ([id, override]) => [idOf<DivisionId>(id), override] as const,
  );
  const names = await findDivisionNames(
    db,
    tenantId,
    overrides.map(([id]) => id),
  );
  const environments = await findEnvironments(
    db,
    tenantId,
    overrides.flatMap(([, override]) => environmentIdsOf(override)),
  );
  const described = overrides.flatMap(([id, override]) => {
    const name = names.get(id);
    if (name === undefined) return [];
    const place = { division: id };
    const detail = {
      name: seesDivision(reader.permissions, id) ? name : null,
      permissions: permissionsAt(permissions, 'division', place),
      environment: permissionsAt(permissions, 'environment', place),
      environments: describeEnvironments(permissions, id, override, environments, reader),
    };
    return [[id, detail] as const];
  });
  return {
    tenant: permissionsAt(permissions, 'tenant'),
    division: permissionsAt(permissions, 'division'),
    environment: permissionsAt(permissions, 'environment'),
    divisions: Object.fromEntries(described),
  };
}

function describeEnvironments(
  permissions: CompiledPermissions,
  division: DivisionId,
  override: CompiledDivision,
  existing: Map<EnvironmentId, EnvironmentRow>,
  reader: Pick<Caller, 'permissions'>,
): Record<string, components['schemas']['EnvironmentOverride']> {
  const described = environmentIdsOf(override).flatMap((environment) => {
    const row = existing.get(environment);
    if (!row) return [];
    const detail = {
      name: seesEnvironment(reader.permissions, division, environment) ? row.name : null,
      permissions: permissionsAt(permissions, 'environment', { division, environment }),
    };
    return [[environment, detail] as const];
  });
  return Object.fromEntries(described);
}

const environmentIdsOf = ({ environments }: CompiledDivision) =>
  Object.keys(environments).map((id) => idOf<EnvironmentId>(id));

/**
 * The same for a system role, whose environment grants are shown for each division that the reader may see (interface,
 * 5.5): they are not stored with the divisions, they are what its defaults come to.
 */
export async function describeSystemRole(
  db: Database,
  tenantId: TenantId,
  permissions: CompiledPermissions,
  reader: Pick<Caller, 'permissions'>,
): Promise<PermissionsDetail> {
  const { d, e } = permissions;
  const all = e === 0 ? [] : await listAllDivisions(db, tenantId);
  const visible = all.filter(({ id }) => seesDivision(reader.permissions, id));
  const divisions = Object.fromEntries(visible.map(({ id }) => [id, { d, e, environments: {} }]));
  return await describePermissions(db, tenantId, { ...permissions, divisions }, reader);
}

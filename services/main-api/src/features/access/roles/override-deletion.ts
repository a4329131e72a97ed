import type { DivisionId, EnvironmentId, TenantId } from '@sluice/contracts';
import type { Transaction } from '../../../database.ts';
import { republishGrantsOf } from '../grants/key-grants.ts';
import { deleteOverrides, usersOfRoles } from '../../../stores/roles.store.ts';

/** Removes what the roles of a locked tenant say of a division, or of an environment in it, that is being deleted. */
export async function removeOverrides(
  tx: Transaction,
  tenantId: TenantId,
  { division_id, environment_id }: { division_id: DivisionId; environment_id?: EnvironmentId },
): Promise<void> {
  const division = ['divisions', String(division_id)];
  const path =
    environment_id === undefined ? division : [...division, 'environments', String(environment_id)];
  const roles = await deleteOverrides(tx, tenantId, path);
  await republishGrantsOf(tx, tenantId, await usersOfRoles(tx, roles));
}

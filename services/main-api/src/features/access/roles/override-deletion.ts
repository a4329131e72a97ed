import type { DivisionId, EnvironmentId, TenantId } from '@sluice/contracts';
import type { Transaction } from '@sluice/main-store/database';
import { listUsersOfRoles } from '@sluice/main-store/members.store';
import { deleteOverrides } from '@sluice/main-store/roles.store';
import { republishGrantsOf } from '@sluice/grant-publication/republish';

/** Deletes what the roles of a locked tenant say of a division, or of an environment in it, that is being deleted. */
export async function deleteOverridesOf(
  tx: Transaction,
  tenantId: TenantId,
  { division_id, environment_id }: { division_id: DivisionId; environment_id?: EnvironmentId },
): Promise<void> {
  const division = ['divisions', String(division_id)];
  const path =
    environment_id === undefined ? division : [...division, 'environments', String(environment_id)];
  const roles = await deleteOverrides(tx, tenantId, path);
  await republishGrantsOf(tx, tenantId, await listUsersOfRoles(tx, roles));
}

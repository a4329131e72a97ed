import type { TenantId, UserId } from '@sluice/contracts';
import type { Transaction } from '@sluice/main-store/database';
import { keysOfUsers } from '@sluice/main-store/api-keys.store';
import { grantToKeys } from './key-grants.ts';
import { publishMemberSessions } from './session-grants.ts';

/**
 * Publishes again what these users hold in a locked tenant. Every change of a role, of a member's roles or of a
 * membership ends with this, in its own transaction.
 */
export async function republishGrantsOf(
  tx: Transaction,
  tenantId: TenantId,
  userIds: readonly UserId[],
): Promise<void> {
  for await (const keys of keysOfUsers(tx, tenantId, userIds)) await grantToKeys(tx, keys);
  await publishMemberSessions(tx, tenantId, userIds);
}

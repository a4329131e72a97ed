import type { UserId } from '@sluice/contracts';
import { requireBelow } from '@sluice/catalogue/features';
import type { Transaction } from '@sluice/main-store/database';
import { countMembershipsOf } from '@sluice/main-store/members.store';
import { countTenantsOf } from '@sluice/main-store/tenants.store';
import { getUser, lockUsers } from '@sluice/main-store/users.store';

/**
 * Refuses one more tenant to a user who has as many as they may (interface, 1.6), and locks the user: until this
 * transaction ends, no other counts.
 * @param what `memberships` for joining a tenant, `tenants` for owning another one
 * @throws Problem `limit_reached`, naming the limit and its value
 */
export async function requireAccountRoom(
  tx: Transaction,
  userId: UserId,
  what: 'tenants' | 'memberships',
): Promise<void> {
  await lockUsers(tx, [userId]);
  const user = await getUser(tx, userId);
  const [value, count] =
    what === 'tenants'
      ? [user.tenants_limit, await countTenantsOf(tx, userId)]
      : [user.memberships_limit, await countMembershipsOf(tx, userId)];
  requireBelow(what, value, count, `The account allows ${value} (${what}).`);
}

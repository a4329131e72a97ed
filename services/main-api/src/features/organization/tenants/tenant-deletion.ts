import { sessionGrantKey, type TenantId } from '@sluice/contracts';
import { deleteIdempotentRequests } from '@sluice/http';
import type { Transaction } from '@sluice/main-store/database';
import { deleteDivisionsOf } from '@sluice/main-store/divisions.store';
import { deleteEnvironmentsOf } from '@sluice/main-store/environments.store';
import { deleteMembersOf } from '@sluice/main-store/members.store';
import { deleteRolesOf } from '@sluice/main-store/roles.store';
import { listSessionKeysOfMembers } from '@sluice/main-store/sessions.store';
import { deleteSubscriptionOf } from '../subscription/subscriptions.store.ts';
import { deleteTenant } from '@sluice/main-store/tenants.store';
import { sendDeleted } from '../../notifications/channel-messages.ts';
import { deleteChannels } from '../../notifications/channels.store.ts';
import { forgetCard } from '../../payments/saved-cards.ts';
import { keepBillingInfo } from '../../billing/billing-info.store.ts';
import { deleteKeysAndGrants } from '../../access/api-keys/key-deletion.ts';

/** Deletes a tenant that has no deployments, and every right in it; the users stay. It is locked against additions. */
export async function deleteTenantAndAllInIt(tx: Transaction, tenantId: TenantId, now: Date): Promise<void> {
  const sessions = await listSessionKeysOfMembers(tx, tenantId);
  await tx.setGrants(sessions.map((session) => [sessionGrantKey(tenantId, session), null]));
  await deleteKeysAndGrants(tx, { tenant_id: tenantId });
  // each before what it refers to; tables that are not here refer to the tenant with ON DELETE CASCADE
  await deleteMembersOf(tx, tenantId);
  await deleteRolesOf(tx, tenantId);
  await deleteEnvironmentsOf(tx, tenantId);
  sendDeleted(tx, await deleteChannels(tx, { tenant_id: tenantId }));
  await deleteDivisionsOf(tx, tenantId);
  await forgetCard(tx, tenantId, now);
  await deleteSubscriptionOf(tx, tenantId);
  await deleteIdempotentRequests(tx, tenantId);
  await keepBillingInfo(tx, tenantId);
  await deleteTenant(tx, tenantId);
}

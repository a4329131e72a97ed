import { sessionGrantKey, type TenantId } from '@sluice/contracts';
import { deleteIdempotentRequests } from '@sluice/http';
import type { Transaction } from '../../../database.ts';
import { deleteDivisionsOf } from '../../../stores/divisions.store.ts';
import { deleteEnvironmentsOf } from '../../../stores/environments.store.ts';
import { deleteMembersOf } from '../../../stores/members.store.ts';
import { deleteRolesOf } from '../../../stores/roles.store.ts';
import { listSessionKeysOfMembers } from '../../../stores/sessions.store.ts';
import { deleteSubscriptionOf } from '../subscription/subscriptions.store.ts';
import { deleteTenant } from '../../../stores/tenants.store.ts';
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

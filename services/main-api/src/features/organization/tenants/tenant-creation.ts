import { systemRoleNames, type Ref, type UserId } from '@sluice/contracts';
import type { Transaction } from '@sluice/main-store/database';
import { insertMember } from '@sluice/main-store/members.store';
import { insertSystemRoles } from '@sluice/main-store/roles.store';
import { insertSubscription } from '../subscription/subscriptions.store.ts';
import { type TenantRow, insertTenant } from '@sluice/main-store/tenants.store';

export interface NewTenant {
  name: string;
  description?: string | null | undefined;
  email: string;
  owner: Ref<UserId>;
  /** the corporate domain that the tenant claims, and when a provider has vouched for it */
  claim?: { domain: string; at: Date } | null;
}

/**
 * Creates a tenant: on the plan `pro`, with the system roles, owned by `owner`, who gets the role admin (interface, 1.5
 * and 5.5).
 * @throws Problem `domain_claimed`
 */
export async function createTenant(
  tx: Transaction,
  { name, description, email, owner, claim }: NewTenant,
): Promise<TenantRow> {
  const tenant = await insertTenant(tx, {
    name,
    description,
    email,
    owner_id: owner.id,
    email_domain: claim?.domain,
    email_domain_verified_at: claim?.at,
  });
  await insertSubscription(tx, { tenant_id: tenant.id, plan: 'pro' });
  const roles = await insertSystemRoles(tx, tenant.id, systemRoleNames);
  const admin = roles.find((role) => role.name === 'admin');
  if (!admin) throw new Error('the tenant has no role admin');
  await insertMember(tx, tenant.id, owner.id, [admin.id]);
  tx.emit('tenant_created', { tenant_id: tenant.id, user: owner }, { name });
  return tenant;
}

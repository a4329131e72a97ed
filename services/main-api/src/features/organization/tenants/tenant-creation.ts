import { systemRoleNames, type UserId } from '@sluice/contracts';
import { isUniqueViolation, problem } from '@sluice/service-kit';
import type { Transaction } from '../../../database.ts';
import { insertMember } from '../../../stores/members.store.ts';
import { insertSystemRoles } from '../../../stores/roles.store.ts';
import { insertSubscription, insertTenant } from '../../../stores/tenants.store.ts';
import type { TenantRow } from '../../../stores/tenants.entity.ts';

interface Founding {
  name: string;
  description?: string | null;
  email: string;
  owner: { id: UserId; name: string };
  /** the corporate domain that the tenant claims, and when a provider has vouched for it */
  claim?: { domain: string; at: Date } | null;
}

/**
 * Founds a tenant: on the plan `pro`, with the system roles, owned by `owner`, who gets the role admin (interface, 1.5
 * and 5.5).
 * @throws Problem `domain_claimed`
 */
export async function foundTenant(tx: Transaction, founding: Founding): Promise<TenantRow> {
  const { name, description = null, email, owner, claim = null } = founding;
  const tenant = await insertTenant(tx, {
    name,
    description,
    email,
    owner_id: owner.id,
    email_domain: claim?.domain ?? null,
    email_domain_verified_at: claim?.at ?? null,
  }).catch((error: unknown) => {
    throw isUniqueViolation(error, 'tenants_email_domain_key') ? problem('domain_claimed') : error;
  });
  await insertSubscription(tx, tenant.id, 'pro');
  const roles = await insertSystemRoles(tx, tenant.id, systemRoleNames);
  const admin = roles.find((role) => role.name === 'admin');
  if (!admin) throw new Error('the tenant has no role admin');
  await insertMember(tx, tenant.id, owner.id, [admin.id]);
  tx.emit('tenant_created', { tenant_id: tenant.id, user: owner }, { name });
  return tenant;
}

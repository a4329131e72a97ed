import { systemRoleNames, type UserId } from '@sluice/contracts';
import type { Transaction } from '../../database.ts';
import { insertSystemRoles } from '../roles/roles.store.ts';
import { insertMembership, insertSubscription, insertTenant } from './tenants.store.ts';
import type { TenantRow } from './tenants.entity.ts';

/**
 * Founds a tenant: on the plan `pro`, with the system roles, owned by `owner`, who gets the role admin (interface, 1.5
 * and 5.5).
 */
export async function foundTenant(
  tx: Transaction,
  founding: { name: string; email: string; owner: { id: UserId; name: string } },
): Promise<TenantRow> {
  const { name, email, owner } = founding;
  const tenant = await insertTenant(tx, { name, email, owner_id: owner.id });
  await insertSubscription(tx, tenant.id, 'pro');
  const roles = await insertSystemRoles(tx, tenant.id, systemRoleNames);
  const admin = roles.find((role) => role.name === 'admin');
  if (!admin) throw new Error('the tenant has no role admin');
  await insertMembership(tx, tenant.id, owner.id, admin.id);
  tx.emit('tenant_created', { tenant_id: tenant.id, user: owner }, { name });
  return tenant;
}

import { problem } from '@sluice/service-kit';
import type { Database } from '../../../database.ts';
import { listDivisionEmails } from '../../../stores/divisions.store.ts';
import type { TenantRow } from '../../../stores/tenants.entity.ts';
import { isLockedDomain } from '../../../stores/tenants.store.ts';

/**
 * Whom a tenant may invite, by the domain of the address (interface, 2.2).
 * @throws Problem `outside_email_domain`, `email_domain_locked`
 */
export async function requireMayInvite(db: Database, tenant: TenantRow, email: string): Promise<void> {
  const domain = domainOf(email);
  if (tenant.enforce_domain_only_invitations && !(await isOwnDomain(db, tenant, domain)))
    throw problem('outside_email_domain');
  if (await isLockedDomain(db, tenant.id, domain)) throw problem('email_domain_locked');
}

/** A division claims a subdomain of the tenant's domain by having its address there. */
async function isOwnDomain(db: Database, tenant: TenantRow, domain: string): Promise<boolean> {
  if (tenant.email_domain === null) return false;
  const own = tenant.email_domain.toLowerCase();
  if (domain === own) return true;
  if (!domain.endsWith(`.${own}`)) return false;
  const emails = await listDivisionEmails(db, tenant.id);
  return emails.some((email) => domainOf(email) === domain);
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

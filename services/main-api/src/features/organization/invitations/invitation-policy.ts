import { problem } from '@sluice/service';
import type { Database } from '@sluice/main-store/database';
import { hasSubdomain } from '@sluice/main-store/divisions.store';
import { type TenantRow, isLockedDomain } from '@sluice/main-store/tenants.store';

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

/** The tenant's own domain, and those of its divisions below it. */
async function isOwnDomain(db: Database, tenant: TenantRow, domain: string): Promise<boolean> {
  if (tenant.email_domain === null) return false;
  const own = tenant.email_domain.toLowerCase();
  if (domain === own) return true;
  if (!domain.endsWith(`.${own}`)) return false;
  return await hasSubdomain(db, tenant.id, domain.slice(0, -own.length - 1));
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

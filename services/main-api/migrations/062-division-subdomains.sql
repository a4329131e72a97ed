-- labels below the tenant's own domain, in lower case: whoever has an address there is one of the tenant's
ALTER TABLE divisions ADD COLUMN email_subdomain text;
CREATE UNIQUE INDEX divisions_email_subdomain_key ON divisions (tenant_id, email_subdomain)
  WHERE email_subdomain IS NOT NULL;

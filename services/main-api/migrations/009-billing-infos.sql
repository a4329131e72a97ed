-- Whom the invoices of a tenant are made out to. A tenant that has set nothing has no row.
CREATE TABLE billing_infos (
  tenant_id bigint PRIMARY KEY REFERENCES tenants ON DELETE CASCADE,
  name text,
  company text,
  address text,
  city text,
  state text,
  postal_code text,
  -- ISO 3166-1 alpha-2
  country text,
  tax_id text,
  email text,
  phone text,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- how a tenant pays: a card, or an invoice by agreement
CREATE TABLE payment_methods (
  tenant_id bigint PRIMARY KEY REFERENCES tenants ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('card', 'invoice')),
  -- null: until it is taken back
  valid_to timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);

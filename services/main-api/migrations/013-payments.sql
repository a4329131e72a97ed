-- A card at the payment provider, or the term of an agreement.
ALTER TABLE payment_methods
  ADD COLUMN provider text,
  -- the provider's names of the customer and of the card
  ADD COLUMN customer text,
  ADD COLUMN reference text,
  ADD COLUMN brand text,
  ADD COLUMN last4 text,
  ADD COLUMN exp_month int,
  ADD COLUMN exp_year int,
  -- days from the issue of an invoice to its end
  ADD COLUMN term_days int;

-- Requests of tenants to save a card on a page of the provider.
CREATE TABLE payment_intents (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  tenant_id bigint NOT NULL REFERENCES tenants ON DELETE CASCADE,
  provider text NOT NULL,
  -- the provider's name of the page; null until it has answered
  reference text,
  expires_at timestamptz NOT NULL,
  -- the card is saved, or the page has expired
  ended_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX payment_intents_by_tenant ON payment_intents (tenant_id);
CREATE INDEX payment_intents_ended ON payment_intents (ended_at);
CREATE INDEX payment_intents_open ON payment_intents (id) WHERE ended_at IS NULL;

-- Attempts to charge cards; the id is the idempotency key at the provider. Kept with the invoices.
CREATE TABLE payment_charges (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  tenant_id bigint NOT NULL,
  invoice_id bigint NOT NULL REFERENCES invoices,
  attempt int NOT NULL,
  provider text NOT NULL,
  customer text NOT NULL,
  method text NOT NULL,
  -- the provider's name of the charge; null until it has answered
  reference text,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'succeeded', 'failed')),
  failure text,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  UNIQUE (invoice_id, attempt)
);
-- never two charges of one invoice
CREATE UNIQUE INDEX payment_charges_once ON payment_charges (invoice_id) WHERE status <> 'failed';

-- What is to be collected of an issued invoice, and since when it is overdue.
CREATE TABLE collections (
  invoice_id bigint PRIMARY KEY REFERENCES invoices,
  tenant_id bigint NOT NULL,
  -- attempts on the present card, and the first of these
  failures int NOT NULL DEFAULT 0,
  first_failed_at timestamptz,
  overdue_at timestamptz
);
CREATE INDEX collections_overdue ON collections (tenant_id) WHERE overdue_at IS NOT NULL;

-- Work that calls the payment provider: an intent to look up, an invoice to collect, a card to look up or to detach.
CREATE TABLE payment_work (
  kind text NOT NULL CHECK (kind IN ('intent', 'invoice', 'card', 'detach')),
  subject text NOT NULL,
  tenant_id bigint NOT NULL,
  due_at timestamptz NOT NULL,
  -- raised when it is requested again: a run that began before does not end it
  requests bigint NOT NULL DEFAULT 1,
  fence bigint NOT NULL DEFAULT 0,
  leased_until timestamptz,
  PRIMARY KEY (kind, subject)
);
CREATE INDEX payment_work_due ON payment_work (due_at);

-- Events of providers that were taken, for as long as one may come again.
CREATE TABLE payment_events (
  provider text NOT NULL,
  id text NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider, id)
);
CREATE INDEX payment_events_received ON payment_events (received_at);

-- An operator has the deployments of a tenant stopped; the regions get it after the row.
ALTER TABLE tenants
  ADD COLUMN suspended_at timestamptz,
  ADD COLUMN suspension_reason text,
  ADD COLUMN suspension_sent boolean NOT NULL DEFAULT true;
CREATE INDEX tenants_suspension_unsent ON tenants (id) WHERE NOT suspension_sent;
CREATE INDEX payment_methods_by_card ON payment_methods (reference);

-- What of a deployment's usage in a month is invoiced. Open: there is usage that no invoice has.
CREATE TABLE usage_months (
  billed_id bigint NOT NULL REFERENCES billed_deployments,
  month timestamptz NOT NULL,
  -- invoices that have a line of it: intervals that are stored from now on are of the next one
  closings int NOT NULL DEFAULT 0,
  open boolean NOT NULL DEFAULT true,
  PRIMARY KEY (billed_id, month)
);
CREATE INDEX usage_months_open ON usage_months (month) WHERE open;
INSERT INTO usage_months (billed_id, month)
SELECT DISTINCT billed_id, date_trunc('month', started_at, 'UTC') FROM usage_intervals;

-- of which closing of its month an interval is
ALTER TABLE usage_intervals ADD COLUMN closing int NOT NULL DEFAULT 0;

-- The numbers of invoices have no gaps: the row is locked until the invoice is committed.
CREATE TABLE invoice_numbers (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  last bigint NOT NULL
);
INSERT INTO invoice_numbers (last) VALUES (0);

-- One for each tenant and month with usage, as it was issued: kept beyond the tenant.
CREATE TABLE invoices (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL,
  number bigint NOT NULL UNIQUE,
  -- as it is printed: the prefix of that time and the number
  reference text NOT NULL UNIQUE,
  -- its first moment (UTC)
  month timestamptz NOT NULL,
  currency text NOT NULL,
  subtotal numeric(14, 2) NOT NULL,
  -- these two lower it
  discount numeric(14, 2) NOT NULL CHECK (discount >= 0),
  credit numeric(14, 2) NOT NULL CHECK (credit >= 0),
  tax numeric(14, 2) NOT NULL,
  total numeric(14, 2) NOT NULL,
  tax_rule text NOT NULL CHECK (tax_rule IN ('domestic', 'destination', 'reverse_charge', 'outside')),
  tax_country text NOT NULL,
  -- percent
  tax_rate numeric(5, 2) NOT NULL,
  -- names and addresses as they were
  seller jsonb NOT NULL,
  customer jsonb NOT NULL,
  -- regions that had not reported all of the month, with the end of what they had reported
  missing jsonb NOT NULL,
  issued_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  paid_at timestamptz,
  UNIQUE (tenant_id, month),
  CHECK (total = subtotal - discount - credit + tax)
);
CREATE INDEX invoices_open ON invoices (tenant_id) WHERE paid_at IS NULL;

-- Percent of the list price that a tenant does not pay, for whole months (UTC).
CREATE TABLE discounts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL,
  percent numeric(5, 2) NOT NULL CHECK (percent > 0 AND percent <= 100),
  valid_from timestamptz NOT NULL,
  valid_to timestamptz CHECK (valid_to > valid_from),
  reason text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT discounts_once EXCLUDE USING gist (
    int8range(tenant_id, tenant_id, '[]') WITH &&,
    tstzrange(valid_from, valid_to) WITH &&
  )
);

-- Amounts that invoices use up, those that expire first before others.
CREATE TABLE credits (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL,
  amount numeric(14, 2) NOT NULL CHECK (amount > 0),
  used numeric(14, 2) NOT NULL DEFAULT 0 CHECK (used BETWEEN 0 AND amount),
  expires_at timestamptz,
  reason text NOT NULL,
  withdrawn_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX credits_by_tenant ON credits (tenant_id);

-- What operators have changed of a tenant's billing, until its audit log has it.
CREATE TABLE billing_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL,
  type text NOT NULL,
  data jsonb NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now()
);

-- Months that operators have closed, or asked what closing them would issue.
CREATE TABLE closing_requests (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  month timestamptz NOT NULL,
  dry_run boolean NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz,
  result jsonb
);

CREATE TABLE invoice_lines (
  invoice_id bigint NOT NULL REFERENCES invoices,
  n int NOT NULL,
  kind text NOT NULL CHECK (kind IN ('usage', 'correction', 'discount', 'credit', 'tax')),
  -- the month that it is of, where it is of usage or of a discount
  month timestamptz,
  -- what is added to the invoice
  amount numeric(14, 2) NOT NULL,
  -- of a discount and of the tax
  percent numeric(5, 2),
  credit_id bigint REFERENCES credits,
  -- of usage and its corrections: the deployment with its names of that time, and what the intervals of this closing add up to
  billed_id bigint REFERENCES billed_deployments,
  closing int,
  deployment_id bigint,
  name text,
  division_id bigint,
  division_name text,
  environment_id bigint,
  environment_name text,
  cloud text,
  region text,
  seconds numeric,
  -- US cents for a month of 730 hours, times seconds
  compute numeric,
  storage numeric,
  network numeric,
  telemetry numeric,
  data_retention numeric,
  PRIMARY KEY (invoice_id, n)
);
CREATE UNIQUE INDEX invoice_lines_of_usage ON invoice_lines (billed_id, month, closing);
CREATE INDEX invoice_lines_of_credits ON invoice_lines (credit_id) WHERE credit_id IS NOT NULL;

-- An invoice that is issued stays as it is, except that it is paid.
CREATE FUNCTION refuse_change_of_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND TG_TABLE_NAME = 'invoices' THEN
    IF to_jsonb(OLD) - 'paid_at' = to_jsonb(NEW) - 'paid_at' THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION 'an issued invoice is not changed: a line of the next one corrects it' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER immutable BEFORE UPDATE OR DELETE ON invoices FOR EACH ROW EXECUTE FUNCTION refuse_change_of_invoice();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON invoices EXECUTE FUNCTION refuse_change_of_invoice();
CREATE TRIGGER immutable BEFORE UPDATE OR DELETE ON invoice_lines FOR EACH ROW EXECUTE FUNCTION refuse_change_of_invoice();
CREATE TRIGGER never_emptied BEFORE TRUNCATE ON invoice_lines EXECUTE FUNCTION refuse_change_of_invoice();

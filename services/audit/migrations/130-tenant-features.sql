-- What the plan of a tenant allows of the audit log, as main-api has said last; the highest version counts.
CREATE TABLE tenant_features (
  tenant_id bigint PRIMARY KEY,
  version bigint NOT NULL,
  audit_retention_days integer NOT NULL,
  audit_export_enabled boolean NOT NULL
);

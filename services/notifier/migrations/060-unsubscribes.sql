-- Addresses that have unsubscribed from the notification channels of a tenant.
CREATE TABLE unsubscribes (
  tenant_id bigint NOT NULL,
  -- SHA-256 of tenant and address: without a key, since it has to hold after keys were replaced
  address_hash text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, address_hash)
);

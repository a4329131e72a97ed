-- What the other services were told last of what a tenant's plan allows, and in which order; NULL: nothing yet.
ALTER TABLE subscriptions
  ADD COLUMN features_told jsonb,
  ADD COLUMN features_version bigint NOT NULL DEFAULT 0;

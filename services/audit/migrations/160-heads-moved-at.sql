-- When the log last grew, by the clock of the database. `recorded_at` is when NATS stored the last event, which may be long before: heads
-- that are to be published cannot be found by it.
ALTER TABLE log_heads ADD COLUMN moved_at timestamptz NOT NULL DEFAULT now();

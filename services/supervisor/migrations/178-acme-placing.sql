-- Since when somebody is about to place the order, so that nobody else does; null when nobody is.
ALTER TABLE acme_orders ADD COLUMN placing_since timestamptz;

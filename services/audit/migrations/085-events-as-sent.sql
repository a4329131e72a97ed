-- An event that the release which recorded it did not understand, as it came; a later one may. NULL for all others.
ALTER TABLE entries ADD COLUMN as_sent jsonb;

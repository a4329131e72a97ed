-- the release before does not mind: while the index is made, events wait in their stream to be recorded, and the log is read as before.
-- (PostgreSQL makes no index of a partitioned table concurrently.)

-- The words of a text in small letters, each behind the id of its tenant, so that an index of all tenants' words has those of one together.
-- Letters beyond ASCII are parts of words. A word is cut to 100 letters and a text to 10,000, so that every entry can be recorded.
CREATE FUNCTION words_of(tenant bigint, names text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN array_to_tsvector(array_remove(string_to_array(regexp_replace(
  regexp_replace(lower(left(names, 10000)), '[\x01-\x2F\x3A-\x40\x5B-\x60\x7B-\x7F]+', ' ', 'g'),
  '([^ ]{1,100})[^ ]*', tenant::text || ':\1', 'g'), ' '), ''));

-- Who did it, what it was and what it was about.
CREATE INDEX log_entries_by_words ON log_entries USING gin (words_of(tenant_id,
  type || ' ' || coalesce(author_name, '') || ' ' || coalesce(api_key_name, '') || ' ' || coalesce(user_name, '') || ' '
  || coalesce(division_name, '') || ' ' || coalesce(environment_name, '') || ' ' || coalesce(deployment_name, '') || ' '
  || coalesce(data ->> 'name', '')));

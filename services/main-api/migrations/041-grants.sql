-- What each token may do, as all services shall know it: changed in the transaction of whatever changes it, and
-- published from here. A row without content is a removal; it stays for some days after it has been published.
CREATE SEQUENCE grant_versions;
CREATE TABLE grants (
  -- where it stands in the bucket
  key text PRIMARY KEY,
  content jsonb,
  version bigint NOT NULL DEFAULT nextval('grant_versions'),
  expires_at timestamptz,
  changed_at timestamptz NOT NULL DEFAULT now(),
  -- the version that is known to be in force on all layers
  settled_version bigint,
  -- in which bucket, and at which of its revisions, that one stands
  bucket bigint,
  sequence bigint
);
CREATE INDEX grants_unsettled ON grants (changed_at) WHERE settled_version IS DISTINCT FROM version;
CREATE INDEX grants_by_sequence ON grants (bucket, sequence);
CREATE INDEX grants_expired ON grants (expires_at) WHERE content IS NOT NULL;
CREATE INDEX grants_removed ON grants (changed_at) WHERE content IS NULL;

-- The bucket that the grants are published in: one row.
CREATE TABLE grant_bucket (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  -- counts the buckets that were made
  bucket bigint NOT NULL DEFAULT 0,
  -- counts the times at which the bucket turned out to have lost something
  epoch bigint NOT NULL DEFAULT 0,
  -- when NATS made the bucket, as NATS says it
  created text,
  -- whether the bucket has been compared with the table since the epoch began, and is the same
  complete boolean NOT NULL DEFAULT false,
  -- by which system roles and which form the grants were made
  made_by text
);
INSERT INTO grant_bucket DEFAULT VALUES;

-- The ZIP of a broker's data folder, as its node sends it.
ALTER TABLE snapshots
  -- null: not wanted; wanted, complete, failed
  ADD COLUMN archive text,
  -- the attempt that the pieces are of, how many there are, and their bytes
  ADD COLUMN archive_upload uuid,
  ADD COLUMN archive_pieces int NOT NULL DEFAULT 0,
  ADD COLUMN archive_bytes bigint NOT NULL DEFAULT 0;

CREATE TABLE snapshot_archive_pieces (
  snapshot_id bigint NOT NULL REFERENCES snapshots ON DELETE CASCADE,
  number int NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (snapshot_id, number)
);
-- a ZIP is compressed already
ALTER TABLE snapshot_archive_pieces ALTER COLUMN content SET STORAGE EXTERNAL;

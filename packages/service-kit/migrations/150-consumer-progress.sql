-- How far a consumer has got in its stream, as this database knows it. A consumer of which NATS has more acknowledgements than this was
-- acknowledged by a later state of the database: the database was restored.
CREATE TABLE consumer_progress (
  consumer text PRIMARY KEY,
  -- when the stream was made: one that is made anew counts from the beginning
  stream_created text NOT NULL,
  -- the highest of the messages that have had their effect, or are dead letters
  sequence bigint NOT NULL
) WITH (fillfactor = 50);

-- Messages that share an ordering key go out in the order of their ids.
ALTER TABLE outbox RENAME COLUMN lane TO ordering_key;

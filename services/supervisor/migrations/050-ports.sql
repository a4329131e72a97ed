-- Where a node's gateway listens: ports alone, since the host is not for its agent to say. What was said before is dropped, for it
-- was not checked; the next heartbeat brings all of it again.
ALTER TABLE nodes ADD COLUMN ports jsonb;
ALTER TABLE nodes DROP COLUMN endpoints;
UPDATE nodes SET statistics = NULL;

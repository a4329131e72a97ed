-- The trace (W3C traceparent) of what has changed the deployment last, and when: the reconciler and the agents go on with it.
ALTER TABLE deployments ADD COLUMN traceparent text;
ALTER TABLE deployments ADD COLUMN traced_at timestamptz;

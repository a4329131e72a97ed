-- Reports carry their region in the subject, by which NATS knows who may send them. Those that wait are addressed anew; a
-- registration is repeated at every start.
DELETE FROM outbox WHERE subject ~ '^[a-z0-9]+\.reports\.region_registered$';
UPDATE outbox SET subject = regexp_replace(
  outbox.subject, '\.reports\.', format('.reports.supervisor.%s.%s.', region.cloud, region.region))
FROM (SELECT shape ->> 'cloud' AS cloud, shape ->> 'region' AS region FROM deployments LIMIT 1) AS region
WHERE outbox.subject ~ '^[a-z0-9]+\.reports\.[a-z_]+$';

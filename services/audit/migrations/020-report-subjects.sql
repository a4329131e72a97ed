-- Reports carry their sender in the subject, by which NATS knows who may send them. Those that wait are addressed anew.
UPDATE outbox SET subject = regexp_replace(subject, '\.reports\.', '.reports.audit.')
WHERE subject ~ '^[a-z0-9]+\.reports\.[a-z_]+$';

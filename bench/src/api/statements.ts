/** What a person would write by hand for each operation: one statement for a read. */

const divisionFields = 'id, name, description, email, email_subdomain, protected, created_at, updated_at';

export const division = `SELECT ${divisionFields} FROM divisions WHERE id = $1 AND tenant_id = $2`;

export const divisions = `SELECT ${divisionFields}, (SELECT count(*) FROM divisions WHERE tenant_id = $1) AS total
  FROM divisions WHERE tenant_id = $1
  ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`;

export const updates = {
  lock: `SELECT t.id, t.name, t.owner_id, s.plan, t.feature_overrides FROM tenants t JOIN subscriptions s ON s.tenant_id = t.id
    WHERE t.id = $1 FOR NO KEY UPDATE OF t`,
  update: 'UPDATE divisions SET description = $3, updated_at = now() WHERE id = $1 AND tenant_id = $2',
  /** into a table of its own, from which nothing is sent */
  message: 'INSERT INTO bench_messages (payload) VALUES ($1)',
};

export const liveDeployment = `SELECT d.id, d.spec, d.status, d.status_reason, d.subnet, n.nodes, r.records
  FROM deployments d
  LEFT JOIN LATERAL (SELECT json_agg(nodes ORDER BY position) AS nodes FROM nodes WHERE deployment_id = d.id) n ON true
  LEFT JOIN LATERAL (SELECT json_agg(dns_records) AS records FROM dns_records WHERE deployment_id = d.id) r ON true
  WHERE d.id = $1`;

export const audit = `SELECT *, (SELECT count(*) FROM log_entries WHERE tenant_id = $1) AS total FROM log_entries
  WHERE tenant_id = $1 ORDER BY occurred_at DESC, position DESC, seq DESC LIMIT $2 OFFSET $3`;

/** What there is to be read: 30 divisions, 200 entries of the audit log, one deployment with its node. */
export const filling = {
  'main-api': `
    INSERT INTO divisions (tenant_id, name, description, created_at, updated_at)
    SELECT $1, 'bench ' || n, 'a division', now() - n * interval '1 minute', now() FROM generate_series(1, 29) AS n`,
  messages:
    'CREATE TABLE bench_messages (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, payload text NOT NULL)',
  audit: `
    INSERT INTO log_entries (event_id, seq, position, recorded_at, prev_hash, hash, tenant_id, type, author_id, author_name,
      division_id, division_name, data, correlation_id, occurred_at)
    SELECT gen_random_uuid(), n, n, now(), '', '', $1, 'division_updated', 1, 'Owner', 1, 'default', '{"changes": {"description": "other"}}',
      gen_random_uuid(), now() - n * interval '1 minute'
    FROM generate_series(1, 200) AS n`,
};

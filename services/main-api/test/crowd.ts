import { idOf, type DivisionId } from '@sluice/contracts';
import type { ServiceFixture } from '@sluice/testing';
import type { TestTenant } from './tenants.ts';

/** Ids of what the tenant has. */
export interface Crowd {
  division: DivisionId;
  /** with 505 deployments */
  environment: number;
  deployment: number;
  /** of twenty members */
  role: number;
  member: number;
  /** of the division */
  key: number;
  invitation: number;
  cloudAccount: number;
}

/** where the ids of the crowd begin: those that the service gives out stay below */
const base = 1_000_000;

/**
 * Puts a tenant among a hundred: 10 divisions, 100 environments and 1,000 deployments each, of which this tenant has half in
 * one environment, and none that is protected; and this one has 1,000 members and invitations. The rows are written without looking at their references.
 */
export async function fillAround(on: ServiceFixture, { id, division, owner }: TestTenant): Promise<Crowd> {
  const tenant = `CASE t WHEN 0 THEN ${id} ELSE ${base} + t END`;
  // the division that a tenant is founded with is its tenth
  const divisionId = `CASE WHEN t = 0 AND d = 10 THEN ${division} ELSE ${base} + t * 10 + d END`;
  const newest = (n: string) => `now() - (${n}) * interval '1 minute'`;
  await on.sql(`
    SET session_replication_role = replica;
    INSERT INTO users (id, name, email) OVERRIDING SYSTEM VALUE
      SELECT ${base} + n, 'User ' || n, n || '@crowd.test' FROM generate_series(1, 10000) n;
    INSERT INTO identities (user_id, source, subject)
      SELECT ${base} + n, 'crowd', n FROM generate_series(1, 3000) n;
    INSERT INTO sessions (user_id, source, token_sha256, created_at, last_used_at, idle_expires_at, expires_at)
      SELECT ${base} + n, 'crowd', encode(sha256(n::text::bytea), 'hex'), now(), now(), now() + interval '1 day', now() + interval '1 day'
      FROM generate_series(1, 3000) n;
    INSERT INTO tenants (id, name, email, owner_id) OVERRIDING SYSTEM VALUE
      SELECT ${base} + t, 'Tenant ' || t, t || '@crowd.test', ${base} + t FROM generate_series(1, 99) t;
    INSERT INTO subscriptions (tenant_id, plan) SELECT ${base} + t, 'enterprise' FROM generate_series(1, 99) t;
    INSERT INTO roles (id, tenant_id, kind, name, permissions, created_at) OVERRIDING SYSTEM VALUE
      SELECT ${base} + t * 50 + r, ${tenant}, 'custom', 'Role ' || r, '{}', ${newest('r')}
      FROM generate_series(0, 99) t, generate_series(1, 50) r;
    INSERT INTO memberships (id, tenant_id, user_id, created_at) OVERRIDING SYSTEM VALUE
      SELECT ${base} + t * 1000 + m, ${tenant}, ${base} + t * 100 + m, ${newest('m')}
      FROM generate_series(0, 99) t, generate_series(1, 1000) m WHERE t = 0 OR m <= 100;
    INSERT INTO member_roles (membership_id, role_id)
      SELECT ${base} + t * 1000 + m, ${base} + t * 50 + 1 + m % 50
      FROM generate_series(0, 99) t, generate_series(1, 1000) m WHERE t = 0 OR m <= 100;
    INSERT INTO invitations (id, tenant_id, email, invited_by, created_at, expires_at) OVERRIDING SYSTEM VALUE
      SELECT ${base} + t * 1000 + i, ${tenant}, i || '@invited.test', ${owner.id}, ${newest('i')}, now() + interval '1 day'
      FROM generate_series(0, 99) t, generate_series(1, 1000) i WHERE t = 0 OR i <= 100;
    INSERT INTO cloud_accounts (id, tenant_id, cloud, name, account_id, region, created_at) OVERRIDING SYSTEM VALUE
      SELECT ${base} + t * 20 + c, ${tenant}, 'cloud_a', 'Account ' || c, c, 'us-east-1', ${newest('c')}
      FROM generate_series(0, 99) t, generate_series(1, 20) c;
    INSERT INTO channels (id, tenant_id, division_id, channel, name, sealed_secrets, created_at) OVERRIDING SYSTEM VALUE
      SELECT ${base} + t * 100 + c, ${tenant}, CASE WHEN c > 20 THEN ${divisionId} END, 'email', 'Channel ' || c, '', ${newest('c')}
      FROM generate_series(0, 99) t, generate_series(1, 40) c, LATERAL (SELECT 1 AS d) AS place;
    INSERT INTO channel_subscriptions (channel_id, message_types, scopes, created_at)
      SELECT ${base} + t * 100 + c, '{division_created}', '{"tenants":[],"divisions":[],"environments":[],"deployments":[]}', ${newest('s')}
      FROM generate_series(0, 99) t, generate_series(1, 40) c, generate_series(1, 5) s;
    INSERT INTO join_requests (tenant_id, user_id, created_at)
      SELECT ${tenant}, ${base} + j, ${newest('j')} FROM generate_series(0, 99) t, generate_series(1, 300) j WHERE t = 0 OR j <= 20;
    INSERT INTO divisions (id, tenant_id, name, created_at) OVERRIDING SYSTEM VALUE
      SELECT ${divisionId}, ${tenant}, 'Division ' || d, ${newest('d')}
      FROM generate_series(0, 99) t, generate_series(1, 10) d WHERE t > 0 OR d < 10;
    INSERT INTO api_keys (id, tenant_id, division_id, name, token_sha256, role_id, user_id, expiry_at, created_at)
      OVERRIDING SYSTEM VALUE
      SELECT ${base} + t * 100 + k, ${tenant}, CASE WHEN d = 1 THEN ${divisionId} END, 'Key ' || k, encode(sha256((t * 100 + k)::text::bytea), 'hex'),
        ${base} + t * 50 + 1 + k % 50, ${base} + t * 100 + 1, now() + interval '1 day', ${newest('k')}
      FROM generate_series(0, 99) t, generate_series(1, 99) k, LATERAL (SELECT 1 + k % 10 AS d) AS place;
    INSERT INTO environments (id, tenant_id, division_id, name, created_at) OVERRIDING SYSTEM VALUE
      SELECT ${base} + t * 100 + d * 10 + e, ${tenant}, ${divisionId}, 'Environment ' || e, ${newest('e')}
      FROM generate_series(0, 99) t, generate_series(1, 10) d, generate_series(0, 9) e;
    INSERT INTO deployments (id, uid, tenant_id, division_id, environment_id, name, code, protected, variant, cloud, region, area,
        tier, cluster, encrypted, storage_type, telemetry_days, availability_mode, dedicated, public_ip_enabled,
        subdomain_enabled, created_at)
      OVERRIDING SYSTEM VALUE
      SELECT ${base} + n, lpad(to_hex(n), 32, '0')::uuid, ${tenant}, ${divisionId}, ${base} + t * 100 + d * 10 + e, 'd' || n, 'c' || n, t > 0 AND i % 10 = 0, 'managed',
        'cloud_a', 'us-east-1', 'us', 'small', 'standalone', false, 'network_balanced', 7, 'single_az', false, true, false,
        ${newest('n')}
      FROM generate_series(0, 99) t, generate_series(0, 999) i,
        LATERAL (SELECT t * 1000 + i AS n, CASE WHEN t = 0 AND i >= 500 THEN 0 ELSE i % 100 END AS place) AS numbered,
        LATERAL (SELECT 1 + place / 10 AS d, place % 10 AS e) AS placed;
    INSERT INTO deployment_nodes (deployment_id, name, image_id, instance, storage_type)
      SELECT ${base} + n, 'node-1', 'image', 'instance', 'network_balanced' FROM generate_series(0, 4999) n;
    SET session_replication_role = origin;
  `);
  await on.sql('ANALYZE');
  return {
    division: idOf<DivisionId>(base + 1),
    environment: base + 10,
    deployment: base,
    role: base + 1,
    member: base + 7,
    key: base + 10,
    invitation: base + 1,
    cloudAccount: base + 1,
  };
}

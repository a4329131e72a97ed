import type { Plan, TenantId, UserId } from '@sluice/contracts';
import { problem } from '@sluice/service-kit';
import { featureOverridesSchema, type FeatureOverrides } from '../catalogue/features.ts';
import type { Database } from '../database.ts';
import { Tenant, type TenantRow } from './tenants.entity.ts';

/** What the rules of a change need to know of its tenant. */
export interface TenantTerms {
  id: TenantId;
  name: string;
  owner_id: UserId;
  plan: Plan;
  feature_overrides: FeatureOverrides;
}

export interface SubscriptionRow {
  id: number;
  plan: Plan;
  active: boolean;
  created_at: Date;
  valid_from: Date;
  valid_to: Date;
}

const terms = `SELECT t.id, t.name, t.owner_id, s.plan, t.feature_overrides
  FROM tenants t JOIN subscriptions s ON s.tenant_id = t.id WHERE t.id = $1`;

/**
 * Locks a tenant. Every change of what belongs to a tenant takes this lock first, so that limits are counted and names
 * compared while nobody else adds or removes anything, and locks are always taken in the same order.
 */
export async function lockTenant(db: Database, id: TenantId): Promise<TenantTerms> {
  return parsed(await db.query<TenantTerms>(`${terms} FOR NO KEY UPDATE OF t`, [id]));
}

/**
 * Locks a tenant that shall go, also against what is added to it without its lock: that is there to be seen from now
 * on, or refused. @throws Problem `not_found`
 */
export async function lockTenantToDelete(db: Database, id: TenantId): Promise<TenantRow> {
  await db.query('SELECT 1 FROM tenants WHERE id = $1 FOR UPDATE', [id]);
  const tenant = await findTenant(db, id);
  if (!tenant) throw problem('not_found');
  return tenant;
}

/** Locks several tenants, always in the same order. */
export async function lockTenants(db: Database, ids: TenantId[]): Promise<void> {
  await db.query('SELECT 1 FROM tenants WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE', [ids]);
}

export async function readTerms(db: Database, id: TenantId): Promise<TenantTerms> {
  return parsed(await db.query<TenantTerms>(terms, [id]));
}

function parsed([row]: TenantTerms[]): TenantTerms {
  if (!row) throw problem('not_found');
  return { ...row, feature_overrides: featureOverridesSchema.parse(row.feature_overrides) };
}

export async function findTenant(db: Database, id: TenantId): Promise<TenantRow | null> {
  return await db.manager.findOneBy(Tenant, { id });
}

/** The tenant that a user founded first. */
export async function findTenantOf(db: Database, ownerId: UserId): Promise<TenantRow | null> {
  return await db.manager
    .getRepository(Tenant)
    .findOne({ where: { owner_id: ownerId }, order: { id: 'ASC' } });
}

export async function updateTenant(db: Database, id: TenantId, changes: Partial<TenantRow>): Promise<void> {
  await db.manager.update(Tenant, { id }, changes);
}

/** A tenant's subscription with the ends of its present month. */
export async function findSubscription(
  db: Database,
  tenantId: TenantId,
): Promise<SubscriptionRow | undefined> {
  const [subscription] = await db.query<SubscriptionRow>(
    `SELECT s.id, s.plan, s.active, s.created_at,
       s.created_at + make_interval(months => month) AS valid_from,
       s.created_at + make_interval(months => month + 1) AS valid_to
     FROM subscriptions s, age(now(), s.created_at) AS age,
       LATERAL (SELECT (extract(year FROM age) * 12 + extract(month FROM age))::int AS month) present
     WHERE s.tenant_id = $1`,
    [tenantId],
  );
  return subscription;
}

export async function insertTenant(
  db: Database,
  tenant: Pick<
    TenantRow,
    'name' | 'description' | 'email' | 'owner_id' | 'email_domain' | 'email_domain_verified_at'
  >,
): Promise<TenantRow> {
  const row = db.manager.create(Tenant, tenant);
  await db.manager.insert(Tenant, row);
  return row;
}

export async function insertSubscription(db: Database, tenantId: TenantId, plan: Plan): Promise<void> {
  await db.query('INSERT INTO subscriptions (tenant_id, plan) VALUES ($1, $2)', [tenantId, plan]);
}

/** The user of an address, made if there is none. */
export async function ensureUser(
  db: Database,
  user: { name: string; email: string },
): Promise<{ id: UserId; name: string }> {
  await db.query('INSERT INTO users (name, email) VALUES ($1, $2) ON CONFLICT (lower(email)) DO NOTHING', [
    user.name,
    user.email,
  ]);
  const [row] = await db.query<{ id: UserId; name: string }>(
    'SELECT id, name FROM users WHERE lower(email) = lower($1)',
    [user.email],
  );
  if (!row) throw new Error('a user that was just made is not there');
  return row;
}

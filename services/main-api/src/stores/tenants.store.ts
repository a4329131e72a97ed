import type { Plan, TenantId, UserId } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { problem } from '@sluice/service';
import { readOverrides, type FeatureOverrides } from '../catalogue/features.ts';
import type { Database } from '../database.ts';
import { newRow, pageOfRows, rowsExist, uniquely } from './rows.ts';
import { Tenant, type TenantRow } from './tenants.entity.ts';

/** What the rules of a change need to know of its tenant. */
export interface TenantTerms {
  id: TenantId;
  name: string;
  owner_id: UserId;
  plan: Plan;
  feature_overrides: FeatureOverrides;
  external_id: string;
}

/** A tenant as one of its members has it. */
export interface OwnTenant extends TenantRow {
  /** whether the membership is */
  active: boolean;
}

const allTerms = `SELECT t.id, t.name, t.owner_id, s.plan, t.feature_overrides, t.external_id
  FROM tenants t JOIN subscriptions s ON s.tenant_id = t.id`;
const terms = `${allTerms} WHERE t.id = $1`;

/**
 * Locks a tenant. Every change of what belongs to a tenant takes this lock first, so that limits are counted and names
 * compared while nobody else adds or removes anything, and locks are always taken in the same order. The subscription is
 * locked as well: else whoever waited for a change of plan would be answered with the former one.
 * @throws Problem `not_found`
 */
export async function lockTenant(db: Database, id: TenantId): Promise<TenantTerms> {
  return parsed(await db.query<TenantTerms>(`${terms} FOR NO KEY UPDATE OF t, s`, [id]));
}

/**
 * Locks a tenant that shall go, also against what is added to it without its lock: that is there to be seen from now
 * on, or refused. @throws Problem `not_found`
 */
export async function lockTenantToDelete(db: Database, id: TenantId): Promise<TenantRow> {
  await db.query('SELECT 1 FROM tenants WHERE id = $1 FOR UPDATE', [id]);
  return await getTenant(db, id);
}

/** Locks several tenants, always in the same order. */
export async function lockTenants(db: Database, ids: TenantId[]): Promise<void> {
  await db.query('SELECT 1 FROM tenants WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE', [ids]);
}

/** Keeps the rights that users have in their tenants from changing until this transaction ends. */
export async function lockRightsOf(db: Database, userIds: readonly UserId[]): Promise<void> {
  await db.query(
    `SELECT 1 FROM tenants t JOIN memberships m ON m.tenant_id = t.id
     WHERE m.user_id = ANY ($1) ORDER BY t.id FOR SHARE OF t`,
    [userIds],
  );
}

/** @throws Problem `not_found` */
export async function getTerms(db: Database, id: TenantId): Promise<TenantTerms> {
  return parsed(await db.query<TenantTerms>(terms, [id]));
}

/** The terms of those of these tenants that there are. */
export async function findTerms(db: Database, ids: readonly TenantId[]): Promise<TenantTerms[]> {
  return (await db.query<TenantTerms>(`${allTerms} WHERE t.id = ANY ($1)`, [ids])).map(withOverrides);
}

/** Some tenants after one, by id, with what was told last of their plans. */
export async function findTermsAfter(
  db: Database,
  after: number,
  limit: number,
): Promise<(TenantTerms & { features_told: object | null })[]> {
  const rows = await db.query<TenantTerms & { features_told: object | null }>(
    `SELECT t.id, t.name, t.owner_id, s.plan, t.feature_overrides, t.external_id, s.features_told
     FROM tenants t JOIN subscriptions s ON s.tenant_id = t.id
     WHERE t.id > $1 ORDER BY t.id LIMIT $2`,
    [after, limit],
  );
  return rows.map((row) => ({ ...row, feature_overrides: readOverrides(row.feature_overrides) }));
}

function parsed([row]: TenantTerms[]): TenantTerms {
  if (!row) throw problem('not_found');
  return withOverrides(row);
}

function withOverrides(row: TenantTerms): TenantTerms {
  return { ...row, feature_overrides: readOverrides(row.feature_overrides) };
}

/** @throws Problem `not_found` */
export async function getTenant(db: Database, id: TenantId): Promise<TenantRow> {
  const tenant = await db.manager.findOneBy(Tenant, { id });
  if (!tenant) throw problem('not_found');
  return tenant;
}

/** The first tenant that a user created. */
export async function findTenantOf(db: Database, ownerId: UserId): Promise<TenantRow | null> {
  return await db.manager.findOne(Tenant, { where: { owner_id: ownerId }, order: { id: 'ASC' } });
}

/** The tenant that has claimed a domain. */
export async function findTenantByDomain(db: Database, domain: string): Promise<TenantRow | null> {
  return await db.manager.findOneBy(Tenant, { email_domain: domain });
}

/** Whether another tenant, whose domain this is or lies in, lets nobody else invite its people. */
export async function isLockedDomain(db: Database, tenantId: TenantId, domain: string): Promise<boolean> {
  return await rowsExist(
    db,
    'tenants WHERE id <> $1 AND block_external_invitations AND lower(email_domain) = ANY ($2)',
    [tenantId, domainsAround(domain)],
  );
}

/** A domain and those that it lies in: `a.b.c`, `b.c`, `c`. */
function domainsAround(domain: string): string[] {
  const labels = domain.split('.');
  return labels.map((_, position) => labels.slice(position).join('.'));
}

export async function listTenantsOf(
  db: Database,
  userId: UserId,
  page: Page,
): Promise<[OwnTenant[], number]> {
  const source = 'tenants WHERE id IN (SELECT tenant_id FROM memberships WHERE user_id = $1)';
  const joins = 'JOIN memberships m ON m.tenant_id = t.id AND m.user_id = $1';
  return await pageOfRows<OwnTenant>(db, 't.*, m.active', source, [userId], page, { as: 't', joins });
}

export async function countTenantsOf(db: Database, ownerId: UserId): Promise<number> {
  return await db.manager.countBy(Tenant, { owner_id: ownerId });
}

/** @throws Problem `domain_claimed` when another tenant has the domain */
export async function insertTenant(
  db: Database,
  tenant: Pick<TenantRow, 'name' | 'email' | 'owner_id'> & Partial<TenantRow>,
): Promise<TenantRow> {
  const row = newRow(db, Tenant, tenant);
  await uniquely('tenants_email_domain_key', db.manager.insert(Tenant, row), 'domain_claimed');
  return row;
}

export async function updateTenant(db: Database, id: TenantId, changes: Partial<TenantRow>): Promise<void> {
  await db.manager.update(Tenant, { id }, changes);
}

/** Deletes a tenant in which nothing is left but what goes with it. */
export async function deleteTenant(db: Database, id: TenantId): Promise<void> {
  await db.manager.delete(Tenant, { id });
}

import type { Plan, TenantId, UserId } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { In, Not, Raw } from 'typeorm';
import { readOverrides, type FeatureOverrides } from '@sluice/catalogue/features';
import type { Database } from './database.ts';
import { existing, firstOf, insertRow, pageOfRows } from './rows.ts';
import { bigint, boolean, id, jsonb, nullable, table, text, time, uuid, type RowOf } from './columns.ts';

type JoinPolicy = 'invite_only' | 'open' | 'request_to_join';

export interface TenantPath {
  tenant_id: TenantId;
}

export const Tenant = table('tenants', {
  id: id<TenantId>(),
  name: text(),
  description: nullable(text()),
  email: text(),
  protected: boolean({ default: false }),
  owner_id: bigint<UserId>(),
  feature_overrides: jsonb<object>({ default: {} }),
  join_policy: text<JoinPolicy>({ default: 'invite_only' }),
  block_external_invitations: boolean({ default: false }),
  enforce_domain_only_invitations: boolean({ default: false }),
  email_domain: nullable(text()),
  email_domain_verified_at: nullable(time()),
  /** by what roles in its cloud accounts know that Sluice acts for this tenant */
  external_id: uuid({ default: () => 'gen_random_uuid()' }),
  /** an operator has its deployments stopped */
  suspended_at: nullable(time()),
  suspension_reason: nullable(text()),
  /** whether the regions, and its audit log, have what is above */
  suspension_sent: boolean({ default: true }),
  created_at: time({ createDate: true }),
  updated_at: time({ updateDate: true }),
});
export type TenantRow = RowOf<typeof Tenant>;

/** What the rules of a change need to know of its tenant. */
export interface TenantTerms {
  id: TenantId;
  name: string;
  owner_id: UserId;
  plan: Plan;
  feature_overrides: FeatureOverrides;
  external_id: string;
  suspended_at: Date | null;
  suspension_reason: string | null;
  /** what the other services got last */
  published_features: object | null;
}

/** A tenant as one of its members has it. */
export interface OwnTenant extends TenantRow {
  /** whether the membership is */
  active: boolean;
}

const allTerms = `SELECT t.id, t.name, t.owner_id, s.plan, t.feature_overrides, t.external_id, t.suspended_at,
    t.suspension_reason, s.published_features
  FROM tenants t JOIN subscriptions s ON s.tenant_id = t.id`;
const terms = `${allTerms} WHERE t.id = $1`;

/**
 * Locks a tenant. Every change of what belongs to a tenant takes this lock first, so that limits are counted and names
 * compared without concurrent changes, and locks are always taken in the same order. The subscription is
 * locked as well: a caller that waited for a change of plan would else see the former plan.
 * @throws Problem `not_found`
 */
export const lockTenant = (db: Database, id: TenantId) =>
  parsed(db.query<TenantTerms>(`${terms} FOR NO KEY UPDATE OF t, s`, [id]));

/**
 * Locks a tenant that shall go, also against what is added to it without its lock: that is there to be seen from now
 * on, or refused. @throws Problem `not_found`
 */
export const lockTenantToDelete = (db: Database, id: TenantId) =>
  existing(db.manager.findOne(Tenant, { where: { id }, lock: { mode: 'pessimistic_write' } }));

/** Locks several tenants, always in the same order. */
export const lockTenants = (db: Database, ids: TenantId[]) =>
  db.manager.find(Tenant, {
    select: { id: true },
    where: { id: In(ids) },
    order: { id: 'ASC' },
    lock: { mode: 'for_no_key_update' },
  });

/** Keeps the rights that users have in their tenants from changing until this transaction ends. */
export const lockRightsOf = (db: Database, userIds: readonly UserId[]) =>
  db.query(
    `SELECT 1 FROM tenants t JOIN memberships m ON m.tenant_id = t.id
     WHERE m.user_id = ANY ($1) ORDER BY t.id FOR SHARE OF t`,
    [userIds],
  );

export const getTerms = (db: Database, id: TenantId) => parsed(db.query<TenantTerms>(terms, [id]));

export async function findTerms(db: Database, ids: readonly TenantId[]): Promise<TenantTerms[]> {
  return (await db.query<TenantTerms>(`${allTerms} WHERE t.id = ANY ($1)`, [ids])).map(withOverrides);
}

export const findTermsAfter = async (db: Database, after: number, limit: number) =>
  (await db.query<TenantTerms>(`${allTerms} WHERE t.id > $1 ORDER BY t.id LIMIT $2`, [after, limit])).map(
    withOverrides,
  );

const parsed = async (finding: Promise<TenantTerms[]>) => withOverrides(await existing(firstOf(finding)));

const withOverrides = (row: TenantTerms): TenantTerms => ({
  ...row,
  feature_overrides: readOverrides(row.feature_overrides),
});

/** A tenant that is there, or all that have no price list of their own. */
export async function listTenantIds(db: Database, tenantId: TenantId | null): Promise<TenantId[]> {
  const rows = await db.query<{ id: TenantId }>(
    `SELECT id FROM tenants t WHERE CASE WHEN $1::bigint IS NULL
       THEN NOT EXISTS (SELECT FROM price_list_assignments a WHERE a.tenant_id = t.id) ELSE id = $1 END ORDER BY id`,
    [tenantId],
  );
  return rows.map(({ id }) => id);
}

export const getTenant = (db: Database, id: TenantId) => existing(db.manager.findOneBy(Tenant, { id }));

export const findTenant = (db: Database, id: TenantId) => db.manager.findOneBy(Tenant, { id });

export const findTenantOf = (db: Database, ownerId: UserId) =>
  db.manager.findOne(Tenant, { where: { owner_id: ownerId }, order: { id: 'ASC' } });

export const findTenantByDomain = (db: Database, domain: string) =>
  db.manager.findOneBy(Tenant, { email_domain: domain });

/** Whether another tenant, whose domain this is or lies in, blocks invitations by others. */
export const isLockedDomain = (db: Database, tenantId: TenantId, domain: string) =>
  db.manager.existsBy(Tenant, {
    ...{ id: Not(tenantId), block_external_invitations: true },
    email_domain: Raw((column) => `lower(${column}) = ANY (:domains)`, { domains: domainsAround(domain) }),
  });

/** A domain and those that it lies in: `a.b.c`, `b.c`, `c`. */
function domainsAround(domain: string): string[] {
  const labels = domain.split('.');
  return labels.map((_, position) => labels.slice(position).join('.'));
}

export function listTenantsOf(db: Database, userId: UserId, page: Page) {
  const source = 'tenants WHERE id IN (SELECT tenant_id FROM memberships WHERE user_id = $1)';
  const joins = 'JOIN memberships m ON m.tenant_id = t.id AND m.user_id = $1';
  return pageOfRows<OwnTenant>(db, page, source, [userId], { columns: 't.*, m.active', as: 't', joins });
}

export const countTenantsOf = (db: Database, ownerId: UserId) =>
  db.manager.countBy(Tenant, { owner_id: ownerId });

/** @throws Problem `domain_claimed` when another tenant has the domain */
export const insertTenant = (
  db: Database,
  tenant: Pick<TenantRow, 'name' | 'email' | 'owner_id'> & Partial<TenantRow>,
) => insertRow(db, Tenant, tenant, 'tenants_email_domain_key', 'domain_claimed');

/** Locks a tenant whose suspension, or the end of it, was not sent yet and that no other replica has. */
export const takeUnsentSuspension = async (db: Database) =>
  (
    await db.manager.findOne(Tenant, {
      select: { id: true },
      where: { suspension_sent: false },
      lock: { mode: 'for_no_key_update', onLocked: 'skip_locked' },
    })
  )?.id;

export const updateTenant = (db: Database, id: TenantId, changes: Partial<TenantRow>) =>
  db.manager.update(Tenant, { id }, changes);

/** Deletes a tenant in which nothing is left but what goes with it. */
export const deleteTenant = (db: Database, id: TenantId) => db.manager.delete(Tenant, { id });

import type { UserId } from '@sluice/contracts';
import type { Page } from '@sluice/service-kit';
import type { Database } from '../database.ts';
import type { TenantRow } from './tenants.entity.ts';

/** A tenant as one of its members has it. */
export type OwnTenant = Pick<
  TenantRow,
  'id' | 'name' | 'description' | 'email' | 'owner_id' | 'email_domain' | 'created_at' | 'updated_at'
> & { active: boolean };

export async function listTenantsOf(
  db: Database,
  userId: UserId,
  { offset, results }: Page,
): Promise<[OwnTenant[], number]> {
  const tenants = await db.query<OwnTenant>(
    `SELECT t.*, m.active FROM memberships m JOIN tenants t ON t.id = m.tenant_id
     WHERE m.user_id = $1 ORDER BY t.created_at DESC, t.id DESC OFFSET $2 LIMIT $3`,
    [userId, offset, results],
  );
  const [total] = await db.query<{ count: number }>('SELECT count(*) FROM memberships WHERE user_id = $1', [
    userId,
  ]);
  return [tenants, total?.count ?? 0];
}

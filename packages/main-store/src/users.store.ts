import type { Ref, TenantId, UserId, DivisionId } from '@sluice/contracts';
import { problem } from '@sluice/service';
import { In, Not } from 'typeorm';
import type { Database } from './database.ts';
import { existing, ignoringCase, insertRow, uniquely } from './rows.ts';
import { bigint, id, integer, nullable, table, text, time, type RowOf } from './columns.ts';

export const User = table('users', {
  id: id<UserId>(),
  name: text(),
  email: text(),
  /** tenants owned, at most */
  tenants_limit: integer({ default: 3 }),
  memberships_limit: integer({ default: 10 }),
  default_tenant_id: nullable(bigint<TenantId>()),
  default_division_id: nullable(bigint<DivisionId>()),
  created_at: time({ createDate: true }),
  updated_at: time({ updateDate: true }),
});
export type UserRow = RowOf<typeof User>;

/** @throws Problem `account_exists` when the address is in use */
export const insertUser = (db: Database, user: Pick<UserRow, 'name' | 'email'>) =>
  insertRow(db, User, user, 'users_email_key', 'account_exists');

export async function ensureUser(db: Database, user: Pick<UserRow, 'name' | 'email'>): Promise<Ref<UserId>> {
  await db.manager.createQueryBuilder().insert().into(User).values(user).orIgnore().execute();
  const { id, name } = await existing(findUserByEmail(db, user.email));
  return { id, name };
}

/** @throws Problem `unauthenticated` for a deleted user */
export async function getUser(db: Database, id: UserId): Promise<UserRow> {
  const user = await findUser(db, id);
  if (!user) throw problem('unauthenticated');
  return user;
}

export const findUser = (db: Database, id: UserId) => db.manager.findOneBy(User, { id });

export const findUserByEmail = (db: Database, email: string) =>
  db.manager.findOneBy(User, { email: ignoringCase(email) });

/** Keeps users' memberships, sessions and identities from being added to until this transaction ends. */
export const lockUsers = (db: Database, ids: readonly UserId[]) =>
  db.manager.find(User, {
    select: { id: true },
    where: { id: In(ids) },
    order: { id: 'ASC' },
    lock: { mode: 'for_no_key_update' },
  });

/**
 * Makes the address of a locked user a verified one of their linked identities: the one that they have if an identity
 * still has it, else that of the oldest identity whose address is no other user's. Without any the user keeps an address
 * that is shown and decides nothing.
 * @returns whether there is a verified one
 * @throws Problem `account_exists` when another user has taken it just now
 */
export async function renewAddress(db: Database, id: UserId): Promise<boolean> {
  const [verified] = await db.query<Pick<UserRow, 'email'>>(
    `SELECT i.email FROM identities i JOIN users u ON u.id = i.user_id
     WHERE u.id = $1 AND i.email IS NOT NULL
       AND NOT EXISTS (SELECT FROM users other WHERE lower(other.email) = lower(i.email) AND other.id <> u.id)
     ORDER BY lower(i.email) <> lower(u.email), i.id LIMIT 1`,
    [id],
  );
  if (!verified) return false;
  const update = db.manager.update(User, { id, email: Not(ignoringCase(verified.email)) }, verified);
  await uniquely('users_email_key', update, 'account_exists');
  return true;
}

export const updateSettings = (
  db: Database,
  id: UserId,
  settings: Pick<UserRow, 'default_tenant_id' | 'default_division_id'>,
) => db.manager.update(User, { id }, settings);

/** Clears the default tenant and division of a user who has left the tenant: no change of the user's own making, so `updated_at` stays. */
export const clearDefaults = (db: Database, id: UserId, tenantId: TenantId) =>
  db.query(
    `UPDATE users SET default_tenant_id = NULL, default_division_id = NULL
     WHERE id = $1 AND default_tenant_id = $2`,
    [id, tenantId],
  );

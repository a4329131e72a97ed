import type { Ref, TenantId, UserId } from '@sluice/contracts';
import { problem } from '@sluice/service';
import type { Database } from '../database.ts';
import { newRow, uniquely } from './rows.ts';
import { User, type UserRow } from './users.entity.ts';

/** @throws Problem `account_exists` when the address is in use */
export async function insertUser(db: Database, user: Pick<UserRow, 'name' | 'email'>): Promise<UserRow> {
  const row = newRow(db, User, user);
  await uniquely('users_email_key', db.manager.insert(User, row), 'account_exists');
  return row;
}

/** The user of an address, made if there is none. */
export async function ensureUser(
  db: Database,
  { name, email }: Pick<UserRow, 'name' | 'email'>,
): Promise<Ref<UserId>> {
  await db.query('INSERT INTO users (name, email) VALUES ($1, $2) ON CONFLICT (lower(email)) DO NOTHING', [
    name,
    email,
  ]);
  const [row] = await db.query<Ref<UserId>>('SELECT id, name FROM users WHERE lower(email) = lower($1)', [
    email,
  ]);
  if (!row) throw new Error('a user that was just made is not there');
  return row;
}

/** @throws Problem `unauthenticated`: whoever calls as this user is nobody any more */
export async function getUser(db: Database, id: UserId): Promise<UserRow> {
  const user = await findUser(db, id);
  if (!user) throw problem('unauthenticated');
  return user;
}

export async function findUser(db: Database, id: UserId): Promise<UserRow | null> {
  return await db.manager.findOneBy(User, { id });
}

/** The user of an address, whatever its case. */
export async function findUserByEmail(db: Database, email: string): Promise<UserRow | undefined> {
  const [user] = await db.query<UserRow>('SELECT * FROM users WHERE lower(email) = lower($1)', [email]);
  return user;
}

/** Keeps users' memberships, sessions and identities from being added to until this transaction ends. */
export async function lockUsers(db: Database, ids: readonly UserId[]): Promise<void> {
  await db.query('SELECT 1 FROM users WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE', [ids]);
}

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
  const update =
    'UPDATE users SET email = $2, updated_at = now() WHERE id = $1 AND lower(email) <> lower($2)';
  await uniquely('users_email_key', db.query(update, [id, verified.email]), 'account_exists');
  return true;
}

export async function updateSettings(
  db: Database,
  id: UserId,
  settings: Pick<UserRow, 'default_tenant_id' | 'default_division_id'>,
): Promise<void> {
  await db.manager.update(User, { id }, settings);
}

/** Clears the default tenant and division of a user who has left the tenant: no change of the user's own making. */
export async function clearDefaults(db: Database, id: UserId, tenantId: TenantId): Promise<void> {
  await db.query(
    `UPDATE users SET default_tenant_id = NULL, default_division_id = NULL
     WHERE id = $1 AND default_tenant_id = $2`,
    [id, tenantId],
  );
}

import type { UserId } from '@sluice/contracts';
import { IsNull, Not } from 'typeorm';
import type { Database } from '../database.ts';
import { Identity, type IdentityRow } from './identities.entity.ts';
import { newRow, uniquely } from './rows.ts';

/** What a provider says of somebody. */
export type ProvidedIdentity = Pick<IdentityRow, 'source' | 'subject' | 'email' | 'corporate_domain'> & {
  email_verified: boolean;
};

interface UserIdRow {
  user_id: UserId;
}

/** Whom an identity belongs to: who has used it before, or else who has its verified address and none of its source. */
export async function findUserOf(
  db: Database,
  { source, subject, email, email_verified }: ProvidedIdentity,
): Promise<UserId | undefined> {
  const [owner] = await db.query<UserIdRow>(
    `SELECT user_id FROM identities WHERE source = $1 AND subject = $2
     UNION ALL
     SELECT u.id FROM users u
     WHERE $4 AND lower(u.email) = lower($3)
       AND NOT EXISTS (SELECT 1 FROM identities i WHERE i.user_id = u.id AND i.source = $1)
     LIMIT 1`,
    [source, subject, email, email_verified],
  );
  return owner?.user_id;
}

/** The corporate domain that a provider has vouched for. */
export async function findCorporateDomain(db: Database, userId: UserId): Promise<string | null> {
  const identity = await db.manager.findOne(Identity, {
    where: { user_id: userId, corporate_domain: Not(IsNull()) },
    order: { id: 'ASC' },
  });
  return identity?.corporate_domain ?? null;
}

/** The first identity of a new user. @throws Problem `account_exists` when it is in use */
export async function insertIdentity(
  db: Database,
  userId: UserId,
  { source, subject, email, corporate_domain }: ProvidedIdentity,
): Promise<void> {
  const row = newRow(db, Identity, { user_id: userId, source, subject, email, corporate_domain });
  await uniquely('identities_subject_key', db.manager.insert(Identity, row), 'account_exists');
}

/** Stores what a provider says now of a user's identity. */
export async function upsertIdentity(
  db: Database,
  userId: UserId,
  { source, subject, email, email_verified, corporate_domain }: ProvidedIdentity,
): Promise<void> {
  await db.query(
    `INSERT INTO identities (user_id, source, subject, email, corporate_domain) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (source, subject)
     DO UPDATE SET email = excluded.email, corporate_domain = excluded.corporate_domain, updated_at = now()`,
    [userId, source, subject, email_verified ? email : null, corporate_domain],
  );
}

/** What is held of a user's identities, for themselves. */
export async function exportIdentities(db: Database, userId: UserId) {
  const identities = await db.manager.find(Identity, { where: { user_id: userId }, order: { id: 'ASC' } });
  return identities.map(({ source, subject, email, corporate_domain, created_at, updated_at }) => ({
    source,
    subject,
    email,
    corporate_domain,
    created_at,
    updated_at,
  }));
}

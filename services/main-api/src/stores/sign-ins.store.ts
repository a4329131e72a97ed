import type { UserId } from '@sluice/contracts';
import { isUniqueViolation, problem } from '@sluice/service-kit';
import type { Database } from '../database.ts';

/** Somebody whom a provider has vouched for and who has neither signed in nor up yet. */
export interface PendingSignIn {
  source: string;
  subject: string;
  name: string | null;
  email: string | null;
  email_verified: boolean;
  corporate_domain: string | null;
}

export async function insertIntent(
  db: Database,
  stateSha256: string,
  source: string,
  expiresAt: Date,
): Promise<void> {
  await db.query('INSERT INTO sign_in_intents (state_sha256, source, expires_at) VALUES ($1, $2, $3)', [
    stateSha256,
    source,
    expiresAt,
  ]);
}

/** Takes an intent, which is gone then. @returns its source, if it is there and not too old */
export async function takeIntent(db: Database, stateSha256: string, now: Date): Promise<string | undefined> {
  const [intent] = await db.query<{ source: string }>(
    'DELETE FROM sign_in_intents WHERE state_sha256 = $1 AND expires_at > $2 RETURNING source',
    [stateSha256, now],
  );
  return intent?.source;
}

export async function insertPending(
  db: Database,
  tokenSha256: string,
  pending: PendingSignIn,
  expiresAt: Date,
): Promise<void> {
  await db.query(
    `INSERT INTO pending_sign_ins
       (token_sha256, source, subject, name, email, email_verified, corporate_domain, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      tokenSha256,
      pending.source,
      pending.subject,
      pending.name,
      pending.email,
      pending.email_verified,
      pending.corporate_domain,
      expiresAt,
    ],
  );
}

/** Takes a pending sign-in, which is gone when the transaction commits: of two that want it one gets it. */
export async function takePending(
  db: Database,
  tokenSha256: string,
  now: Date,
): Promise<PendingSignIn | undefined> {
  const [pending] = await db.query<PendingSignIn>(
    `DELETE FROM pending_sign_ins WHERE token_sha256 = $1 AND expires_at > $2
     RETURNING source, subject, name, email, email_verified, corporate_domain`,
    [tokenSha256, now],
  );
  return pending;
}

/** Forgets what was begun and not brought to an end in time. */
export async function forgetSignIns(db: Database, now: Date): Promise<void> {
  await db.query('DELETE FROM sign_in_intents WHERE expires_at <= $1', [now]);
  await db.query('DELETE FROM pending_sign_ins WHERE expires_at <= $1', [now]);
}

/** Whom an identity belongs to: who has used it before, or else who has its verified address and none of its source. */
export async function findUserOf(
  db: Database,
  { source, subject, email, email_verified }: PendingSignIn,
): Promise<UserId | undefined> {
  const [user] = await db.query<{ id: UserId }>(
    `SELECT user_id AS id FROM identities WHERE source = $1 AND subject = $2
     UNION ALL
     SELECT u.id FROM users u
     WHERE $4 AND lower(u.email) = lower($3)
       AND NOT EXISTS (SELECT 1 FROM identities i WHERE i.user_id = u.id AND i.source = $1)
     LIMIT 1`,
    [source, subject, email, email_verified],
  );
  return user?.id;
}

/** The first identity of a new user. @throws Problem `account_exists` when it is in use */
export async function insertIdentity(db: Database, userId: UserId, identity: PendingSignIn): Promise<void> {
  const { source, subject, email, corporate_domain } = identity;
  try {
    await db.query(
      'INSERT INTO identities (user_id, source, subject, email, corporate_domain) VALUES ($1, $2, $3, $4, $5)',
      [userId, source, subject, email, corporate_domain],
    );
  } catch (error) {
    throw isUniqueViolation(error, 'identities_subject_key') ? problem('account_exists') : error;
  }
}

/** Stores what a provider says now of a user's identity. */
export async function keepIdentity(db: Database, userId: UserId, identity: PendingSignIn): Promise<void> {
  const { source, subject, email, email_verified, corporate_domain } = identity;
  await db.query(
    `INSERT INTO identities (user_id, source, subject, email, corporate_domain) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (source, subject)
     DO UPDATE SET email = excluded.email, corporate_domain = excluded.corporate_domain, updated_at = now()`,
    [userId, source, subject, email_verified ? email : null, corporate_domain],
  );
}

import type { UserId } from '@sluice/contracts';
import type { Database } from '../../../database.ts';
import { bigint, boolean, nullable, table, text, time, type RowOf } from '../../../stores/columns.ts';

export const SignInIntent = table('sign_in_intents', {
  state_sha256: text({ primary: true }),
  source: text(),
  /** whose account gets the identity; null: its holder signs in or up */
  user_id: nullable(bigint<UserId>()),
  expires_at: time(),
});
export type SignInIntentRow = RowOf<typeof SignInIntent>;

/** A person whom a provider has vouched for and who has neither signed in nor up yet. */
export const PendingSignIn = table('pending_sign_ins', {
  token_sha256: text({ primary: true }),
  source: text(),
  subject: text(),
  name: nullable(text()),
  email: nullable(text()),
  email_verified: boolean(),
  corporate_domain: nullable(text()),
  /** as in the intent */
  user_id: nullable(bigint<UserId>()),
  expires_at: time(),
});
export type PendingSignInRow = RowOf<typeof PendingSignIn>;

export const insertIntent = (db: Database, intent: SignInIntentRow) =>
  db.manager.insert(SignInIntent, intent);

/** Takes an intent, which is gone then, if it is there and not too old. */
export async function takeIntent(
  db: Database,
  stateSha256: string,
  now: Date,
): Promise<SignInIntentRow | undefined> {
  const [intent] = await db.query<SignInIntentRow>(
    'DELETE FROM sign_in_intents WHERE state_sha256 = $1 AND expires_at > $2 RETURNING *',
    [stateSha256, now],
  );
  return intent;
}

export const insertPendingSignIn = (db: Database, pending: PendingSignInRow) =>
  db.manager.insert(PendingSignIn, pending);

/** Takes a pending sign-in, which is gone when the transaction commits: of two that want it one gets it. */
export async function takePendingSignIn(
  db: Database,
  tokenSha256: string,
  now: Date,
): Promise<PendingSignInRow | undefined> {
  const [pending] = await db.query<PendingSignInRow>(
    'DELETE FROM pending_sign_ins WHERE token_sha256 = $1 AND expires_at > $2 RETURNING *',
    [tokenSha256, now],
  );
  return pending;
}

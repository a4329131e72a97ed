import type { Database } from '../../../database.ts';
import {
  PendingSignIn,
  SignInIntent,
  type PendingSignInRow,
  type SignInIntentRow,
} from './sign-ins.entity.ts';

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

import type { UserId } from '@sluice/contracts';
import { MoreThan } from 'typeorm';
import type { Database } from '@sluice/main-store/database';
import { bigint, boolean, nullable, table, text, time, type RowOf } from '@sluice/main-store/columns';
import { firstOf, takeRows } from '@sluice/main-store/rows';

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
export const takeIntent = (db: Database, stateSha256: string, now: Date) =>
  firstOf(takeRows(db, SignInIntent, { state_sha256: stateSha256, expires_at: MoreThan(now) }));

export const insertPendingSignIn = (db: Database, pending: PendingSignInRow) =>
  db.manager.insert(PendingSignIn, pending);

export const findPendingSignIn = (db: Database, token_sha256: string, now: Date) =>
  db.manager.findOneBy(PendingSignIn, { token_sha256, expires_at: MoreThan(now) });

/** Takes a pending sign-in, which is gone when the transaction commits: of two that want it one gets it. */
export const takePendingSignIn = (db: Database, tokenSha256: string, now: Date) =>
  firstOf(takeRows(db, PendingSignIn, { token_sha256: tokenSha256, expires_at: MoreThan(now) }));

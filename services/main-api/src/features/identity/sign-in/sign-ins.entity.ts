import type { UserId } from '@sluice/contracts';
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

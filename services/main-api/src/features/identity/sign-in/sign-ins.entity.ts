import type { UserId } from '@sluice/contracts';
import { EntitySchema } from 'typeorm';

/** A sign-in that was begun. */
export interface SignInIntentRow {
  state_sha256: string;
  source: string;
  /** whose account shall get the identity; null: whoever it belongs to signs in or up */
  user_id: UserId | null;
  expires_at: Date;
}

export const SignInIntent = new EntitySchema<SignInIntentRow>({
  name: 'sign_in_intent',
  tableName: 'sign_in_intents',
  columns: {
    state_sha256: { type: 'text', primary: true },
    source: { type: 'text' },
    user_id: { type: 'bigint', nullable: true },
    expires_at: { type: 'timestamptz' },
  },
});

/** Somebody whom a provider has vouched for and who has neither signed in nor up yet. */
export interface PendingSignInRow {
  token_sha256: string;
  source: string;
  subject: string;
  name: string | null;
  email: string | null;
  email_verified: boolean;
  corporate_domain: string | null;
  /** as in the intent */
  user_id: UserId | null;
  expires_at: Date;
}

export const PendingSignIn = new EntitySchema<PendingSignInRow>({
  name: 'pending_sign_in',
  tableName: 'pending_sign_ins',
  columns: {
    token_sha256: { type: 'text', primary: true },
    source: { type: 'text' },
    subject: { type: 'text' },
    name: { type: 'text', nullable: true },
    email: { type: 'text', nullable: true },
    email_verified: { type: 'boolean' },
    corporate_domain: { type: 'text', nullable: true },
    user_id: { type: 'bigint', nullable: true },
    expires_at: { type: 'timestamptz' },
  },
});

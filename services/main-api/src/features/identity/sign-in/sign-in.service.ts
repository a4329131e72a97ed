import { timingSafeEqual } from 'node:crypto';
import { tokenHash } from '@sluice/contracts';
import { fieldProblem, newSecret, problem, type BodyOf, type Caller } from '@sluice/service-kit';
import type { Core } from '../../../core.ts';
import type { Transaction } from '../../../database.ts';
import type { operations } from '../../../generated/api.ts';
import { findUserOf, insertIdentity, upsertIdentity } from '../../../stores/identities.store.ts';
import type { PendingSignInRow } from '../../../stores/sign-ins.entity.ts';
import {
  insertIntent,
  insertPendingSignIn,
  takeIntent,
  takePendingSignIn,
} from '../../../stores/sign-ins.store.ts';
import type { UserRow } from '../../../stores/users.entity.ts';
import { getUser, insertUser } from '../../../stores/users.store.ts';
import { acceptInvitation } from '../../organization/invitations/invitation-answers.ts';
import { applyJoinPolicy } from '../../organization/join-requests/join-policy.ts';
import { createOwnTenant } from '../../organization/own-tenants/own-tenants.service.ts';
import { isFreeEmailDomain, registrableDomain } from '../../organization/tenants/email-domains.ts';
import { openSession, type NewSession } from '../sessions/sessions.service.ts';
import {
  proofOf,
  type IdentityProvider,
  type ProviderAnswer,
  type VerifiedIdentity,
} from './identity-provider.ts';

type SignUpInput = BodyOf<operations['signUp']>;
export type SignInService = ReturnType<typeof signInService>;

export interface SignedIn extends NewSession {
  user: UserRow;
}

/** how long there is time for each of the two steps: to the provider and back, and from there to an account */
export const stepMilliseconds = 10 * 60 * 1000;

/**
 * Signing in and up with OpenID Connect. A secret in the browser's cookie ties the steps together: nonce, state and PKCE
 * verifier are made from it, so that nothing which is stored is worth anything to anybody else.
 */
export function signInService(core: Core, providers: readonly IdentityProvider[]) {
  const { database, work, now } = core;
  const inTime = () => new Date(now().getTime() + stepMilliseconds);
  const providerOf = (source: string | undefined) => providers.find(({ config }) => config.source === source);

  return {
    /** @returns where to send the browser, and the secret for its cookie */
    async begin(source: string): Promise<{ url: string; secret: string }> {
      const provider = providerOf(source);
      if (!provider) throw fieldProblem('source', 'unknown', 'is no identity provider of this installation');
      const secret = newSecret();
      const proof = proofOf(secret);
      const url = await provider.authorizationUrl(proof);
      await insertIntent(database, { state_sha256: tokenHash(proof.state), source, expires_at: inTime() });
      return { url, secret };
    },

    /**
     * Takes in what the provider says, once per intent and only in the browser that began.
     * @throws Problem `sign_in_failed`, `unavailable`
     */
    async complete(secret: string | undefined, answer: ProviderAnswer) {
      const { state, code, error } = answer;
      if (!secret || !state || !sameText(proofOf(secret).state, state)) throw problem('sign_in_failed');
      const provider = providerOf(await takeIntent(database, tokenHash(state), now()));
      if (!provider || error !== undefined || !code) throw problem('sign_in_failed');
      const pending = claiming(await provider.identify(answer, proofOf(secret)), provider);
      const token = newSecret();
      await insertPendingSignIn(database, {
        ...pending,
        token_sha256: tokenHash(token),
        expires_at: inTime(),
      });
      return { token, pending, known: (await findUserOf(database, pending)) !== undefined };
    },

    /** @throws Problem `unauthenticated`, `not_found` */
    signIn: (caller: Caller, token: string | undefined): Promise<SignedIn> =>
      work(caller, async (tx) => {
        const pending = await pendingOf(tx, token);
        const id = await findUserOf(tx, pending);
        if (id === undefined)
          throw problem('not_found', { detail: 'There is no such account yet: sign up.' });
        await upsertIdentity(tx, id, pending);
        return { ...(await openSession(tx, core, id, pending.source)), user: await getUser(tx, id) };
      }),

    /** @throws Problem `unauthenticated`, `email_not_verified`, `account_exists` and those of tenant and invitation */
    signUp(caller: Caller, token: string | undefined, input: SignUpInput): Promise<SignedIn> {
      if (input.tenant && input.invitation)
        throw fieldProblem('invitation', 'not_together', 'cannot be given together with tenant');
      const own = { cause: { ...caller.cause } };
      return work(own, async (tx) => {
        const pending = await pendingOf(tx, token);
        if (!pending.email_verified || pending.email === null) throw problem('email_not_verified');
        if ((await findUserOf(tx, pending)) !== undefined) throw problem('account_exists');
        const user = await insertUser(tx, { name: input.name, email: pending.email });
        await insertIdentity(tx, user.id, pending);
        // whatever happens from here on is the new user's doing
        own.cause.author = { id: user.id, name: user.name };
        if (input.tenant) await createOwnTenant(tx, core, user, input.tenant);
        else {
          if (input.invitation) await acceptInvitation(tx, core, user, input.invitation);
          await applyJoinPolicy(tx, core, user);
        }
        return { ...(await openSession(tx, core, user.id, pending.source)), user };
      });
    },
  };

  async function pendingOf(tx: Transaction, token: string | undefined): Promise<PendingSignInRow> {
    const pending = token === undefined ? undefined : await takePendingSignIn(tx, tokenHash(token), now());
    if (!pending)
      throw problem('unauthenticated', { detail: 'No identity provider has vouched for anybody here.' });
    return pending;
  }
}

/** An identity with the domain that it claims: of a verified address that not anybody can have. */
function claiming(identity: VerifiedIdentity, { config }: IdentityProvider) {
  const { email, email_verified } = identity;
  const domain = email !== null && email_verified && !config.public_email ? registrableDomain(email) : null;
  return { ...identity, corporate_domain: domain === null || isFreeEmailDomain(domain) ? null : domain };
}

function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

import { timingSafeEqual } from 'node:crypto';
import { tokenHash, type UserId } from '@sluice/contracts';
import { newSecret, type Caller } from '@sluice/grants';
import type { BodyOf } from '@sluice/http';
import { fieldProblem, Problem, problem } from '@sluice/service';
import type { Core } from '../../../core.ts';
import type { Database, Transaction } from '@sluice/main-store/database';
import type { operations } from '../../../generated/api.ts';
import {
  type IdentityRow,
  findUserOf,
  insertIdentity,
  listIdentities,
  updateIdentity,
  type ProvidedIdentity,
} from '@sluice/main-store/identities.store';
import {
  type PendingSignInRow,
  type SignInIntentRow,
  findPendingSignIn,
  insertIntent,
  insertPendingSignIn,
  takeIntent,
  takePendingSignIn,
} from './sign-ins.store.ts';
import {
  type UserRow,
  findUserByEmail,
  getUser,
  insertUser,
  lockUsers,
  renewAddress,
} from '@sluice/main-store/users.store';
import { lockRightsOf } from '@sluice/main-store/tenants.store';
import { acceptInvitation } from '../../organization/invitations/invitation-answers.ts';
import { applyJoinPolicy } from '../../organization/join-requests/join-policy.ts';
import { createOwnTenant } from '../../organization/own-tenants/own-tenants.service.ts';
import { isFreeEmailDomain, registrableDomain } from '../../organization/tenants/email-domains.ts';
import { linkIdentity } from '../identities/linking.ts';
import { openSession, type NewSession } from '../sessions/sessions.service.ts';
import {
  proofOf,
  type IdentityProvider,
  type ProviderAnswer,
  type VerifiedIdentity,
} from '@sluice/sign-in/identity-provider';

type SignUpInput = BodyOf<operations['signUp']>;
export type SignInService = ReturnType<typeof signInService>;

export interface SignedIn extends NewSession {
  user: UserRow;
}

/** how long there is time for each of the two steps: to the provider and back, and from there to an account */
export const stepMilliseconds = 10 * 60 * 1000;

/** Where a sign-in was begun: by a client of the API, such as the console, or on the page of this API for terminals. */
export type SignInWay = 'client' | 'page';

/**
 * Signing in and up with OpenID Connect. A secret in the browser's cookie ties the steps together: nonce, state and PKCE
 * verifier are made from it, so that what is stored is of no use without it.
 * @param addresses where providers send browsers back to
 */
export function signInService(
  core: Core,
  providers: readonly IdentityProvider[],
  addresses: Record<SignInWay, string>,
) {
  const { database, work, now } = core;
  const inTime = () => new Date(now().getTime() + stepMilliseconds);
  const providerOf = (source: string | undefined) => providers.find(({ config }) => config.source === source);

  return {
    /**
     * @param linkTo whose account gets the identity; without, its holder signs in or up
     * @returns where to send the browser, and the secret for its cookie
     */
    async begin(
      source: string,
      { way = 'client', linkTo = null }: { way?: SignInWay; linkTo?: UserId | null } = {},
    ): Promise<{ url: string; secret: string }> {
      const provider = providerOf(source);
      if (!provider) throw fieldProblem('source', 'unknown', 'is no identity provider of this installation');
      const secret = newSecret();
      const proof = proofOf(secret);
      const url = await provider.authorizationUrl(proof, addresses[way]);
      await insertIntent(database, {
        state_sha256: tokenHash(proof.state),
        source,
        user_id: linkTo,
        expires_at: inTime(),
      });
      return { url, secret };
    },

    /** Takes in what the provider says, once per intent and only in the browser that began. */
    async complete(secret: string | undefined, answer: ProviderAnswer, way: SignInWay) {
      const { state, code, error } = answer;
      if (!secret || !state || !sameText(proofOf(secret).state, state)) throw problem('sign_in_failed');
      const intent = await takeIntent(database, tokenHash(state), now());
      const provider = providerOf(intent?.source);
      if (!intent || !provider || error !== undefined || !code) throw problem('sign_in_failed');
      const pending = claiming(await provider.identify(answer, proofOf(secret), addresses[way]), provider);
      const token = newSecret();
      await insertPendingSignIn(database, {
        ...pending,
        token_sha256: tokenHash(token),
        user_id: intent.user_id,
        expires_at: inTime(),
      });
      return { token, pending, next: await nextOf(pending, intent) };
    },

    /** What people can sign in with, in the order of the installation. */
    sources: providers.map(({ config: { source, title = source } }) => ({ source, title })),

    /** Whom a provider has vouched for in this browser, to sign in or up; undefined without. */
    async pending(token: string | undefined): Promise<PendingSignInRow | undefined> {
      const found = token && (await findPendingSignIn(database, tokenHash(token), now()));
      return found && found.user_id === null ? found : undefined;
    },

    signIn(caller: Caller, token: string | undefined): Promise<SignedIn> {
      const own = { cause: { ...caller.cause } };
      return work(own, async (tx) => {
        const pending = await pendingOf(tx, token, null);
        const id = await findUserOf(tx, pending);
        const found = id === undefined ? await findByAddress(tx, pending) : await getUser(tx, id);
        own.cause.author = { id: found.id, name: found.name };
        if (id === undefined) await linkIdentity(tx, core, found, pending);
        else await renewIdentity(tx, found.id, pending);
        const user = await getUser(tx, found.id);
        return { ...(await openSession(tx, core, user, pending.source)), user };
      });
    },

    /** Gives the caller the identity that they have begun to link. */
    link: (caller: Caller, token: string | undefined): Promise<IdentityRow> =>
      work(caller, async (tx) => {
        const pending = await pendingOf(tx, token, caller.user.id);
        await lockIdentitiesOf(tx, caller.user.id);
        return await linkIdentity(tx, core, await getUser(tx, caller.user.id), pending);
      }),

    signUp(caller: Caller, token: string | undefined, input: SignUpInput): Promise<SignedIn> {
      if (input.tenant && input.invitation)
        throw fieldProblem('invitation', 'not_together', 'cannot be given together with tenant');
      const own = { cause: { ...caller.cause } };
      return work(own, async (tx) => {
        const pending = await pendingOf(tx, token, null);
        if (!pending.email_verified || pending.email === null) throw problem('email_not_verified');
        if ((await findUserOf(tx, pending)) !== undefined) throw problem('account_exists');
        const user = await insertUser(tx, { name: input.name, email: pending.email });
        await insertIdentity(tx, user.id, pending);
        // from here on the new user is the author
        own.cause.author = { id: user.id, name: user.name };
        if (input.tenant) await createOwnTenant(tx, core, user, input.tenant);
        else {
          if (input.invitation) await acceptInvitation(tx, core, user, input.invitation).catch(asField);
          await applyJoinPolicy(tx, core, user);
        }
        return { ...(await openSession(tx, core, user, pending.source)), user };
      });
    },
  };

  /** What can be done next with an identity that a provider has vouched for. */
  async function nextOf(
    identity: ProvidedIdentity,
    { user_id }: SignInIntentRow,
  ): Promise<'sign_in' | 'sign_up' | 'link'> {
    if (user_id !== null) return 'link';
    if ((await findUserOf(database, identity)) !== undefined) return 'sign_in';
    const user = await userWithAddressOf(database, identity);
    return user && mayLinkByAddress(identity, await listIdentities(database, user.id))
      ? 'sign_in'
      : 'sign_up';
  }

  /**
   * The user who has the verified address of an identity that is new here, as long as the address alone is enough to
   * link both. Keeps the user's identities from being added to.
   * @throws Problem `not_found`, `account_exists` when it is not enough
   */
  async function findByAddress(tx: Transaction, identity: ProvidedIdentity): Promise<UserRow> {
    const user = await userWithAddressOf(tx, identity);
    if (!user) throw problem('not_found', { detail: 'There is no such account yet: sign up.' });
    await lockIdentitiesOf(tx, user.id);
    if (mayLinkByAddress(identity, await listIdentities(tx, user.id))) return user;
    throw problem('account_exists', {
      detail:
        'The account of this e-mail address is not linked with this identity: sign in as before and link it.',
    });
  }

  /**
   * An account without a sign-in is its address alone. Any other is linked by it only where the
   * installation takes the provider's word for the domain and a linked identity still has the address, and never with a
   * second identity of the same provider: that is a later holder of the address.
   */
  function mayLinkByAddress({ source, email }: ProvidedIdentity, linked: readonly IdentityRow[]): boolean {
    if (linked.length === 0) return true;
    const domains = providerOf(source)?.config.authority_for ?? [];
    const address = email?.toLowerCase() ?? '';
    return (
      domains.includes(address.slice(address.lastIndexOf('@') + 1)) &&
      linked.some((identity) => identity.email?.toLowerCase() === address) &&
      !linked.some((identity) => identity.source === source)
    );
  }

  /** @param linkTo for whom the attempt was begun: one for linking does not sign in, nor the other way round */
  async function pendingOf(
    tx: Transaction,
    token: string | undefined,
    linkTo: UserId | null,
  ): Promise<PendingSignInRow> {
    const pending = token === undefined ? undefined : await takePendingSignIn(tx, tokenHash(token), now());
    if (!pending || pending.user_id !== linkTo)
      throw problem('unauthenticated', { detail: 'No identity provider has vouched for anybody here.' });
    return pending;
  }
}

const userWithAddressOf = async (db: Database, { email, email_verified }: ProvidedIdentity) =>
  email_verified && email !== null ? await findUserByEmail(db, email) : undefined;

/** Keeps a user's identities as they are. The locks come in the order in which opening a session takes them. */
async function lockIdentitiesOf(tx: Transaction, userId: UserId): Promise<void> {
  await lockRightsOf(tx, [userId]);
  await lockUsers(tx, [userId]);
}

/** @throws Problem `unauthenticated` when the identity was unlinked meanwhile: it opens no session any more */
async function renewIdentity(tx: Transaction, userId: UserId, identity: ProvidedIdentity): Promise<void> {
  await lockIdentitiesOf(tx, userId);
  if (!(await updateIdentity(tx, identity)))
    throw problem('unauthenticated', { detail: 'The identity was unlinked from its account.' });
  await renewAddress(tx, userId);
}

/** An invitation that a body names is a field of it. */
function asField(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
  throw fieldProblem('invitation', 'unknown', 'is no invitation of this address');
}

/** An identity with the domain that it claims: of a verified address at no free mail provider. */
function claiming(identity: VerifiedIdentity, { config }: IdentityProvider) {
  const { email, email_verified } = identity;
  const domain = email !== null && email_verified && !config.public_email ? registrableDomain(email) : null;
  return { ...identity, corporate_domain: domain === null || isFreeEmailDomain(domain) ? null : domain };
}

function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

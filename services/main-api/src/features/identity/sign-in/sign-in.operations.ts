import { noContent, ok, created, type Handlers } from '@sluice/http';
import type { operations } from '../../../generated/api.ts';
import { accountView } from '../accounts/accounts.operations.ts';
import type { SessionsService } from '../sessions/sessions.service.ts';
import { identityView } from '../identities/identities.operations.ts';
import type { Cookies } from './cookies.ts';
import type { SignInService } from './sign-in.service.ts';

/**
 * @param returnUrl the page that the browser is sent to from the provider; without one it gets JSON
 * @param devicePageUrl the page to which a sign-in leads back that was begun there
 */
export function signInOperations(
  signIns: SignInService,
  sessions: SessionsService,
  cookies: Cookies,
  { returnUrl, devicePageUrl }: { returnUrl: string | undefined; devicePageUrl: string },
) {
  const signedIn = (token: string) => [cookies.session(token), cookies.signIn(null)];
  return {
    async listSignInSources() {
      return ok(
        signIns.sources.map(({ source, title }) => ({ source, kind: 'openid_connect' as const, title })),
      );
    },

    async beginSignIn({ body }) {
      const { url, secret } = await signIns.begin(body.source);
      return { ...ok({ url }), headers: { 'set-cookie': cookies.signIn(secret) } };
    },

    async completeSignIn({ cookies: sent, query }) {
      const userCode = cookies.userCodeOf(sent);
      const way = userCode === undefined ? 'client' : 'page';
      const { token, pending, next } = await signIns.complete(cookies.signInOf(sent), query, way);
      const { name, email, email_verified } = pending;
      if (userCode !== undefined) {
        const headers = { 'set-cookie': cookies.signIn(token, userCode), location: devicePageUrl };
        return { status: 303, body: undefined, headers };
      }
      const headers = { 'set-cookie': cookies.signIn(token) };
      if (returnUrl === undefined) return { ...ok({ next, name, email, email_verified }), headers };
      const location = new URL(returnUrl);
      location.searchParams.set('next', next);
      return { status: 303, body: undefined, headers: { ...headers, location: location.href } };
    },

    async signIn({ caller, cookies: sent }) {
      const { user, session, token } = await signIns.signIn(caller, cookies.signInOf(sent));
      return { ...ok(accountView(user, session)), headers: { 'set-cookie': signedIn(token) } };
    },

    async signUp({ caller, cookies: sent, body }) {
      const { user, session, token } = await signIns.signUp(caller, cookies.signInOf(sent), body);
      const answer = created('account', '/account', accountView(user, session));
      return { ...answer, headers: { ...answer.headers, 'set-cookie': signedIn(token) } };
    },

    async beginLink({ caller, body }) {
      const { url, secret } = await signIns.begin(body.source, { linkTo: caller.user.id });
      return { ...ok({ url }), headers: { 'set-cookie': cookies.signIn(secret) } };
    },

    async linkIdentity({ caller, cookies: sent }) {
      const identity = await signIns.link(caller, cookies.signInOf(sent));
      const answer = created('identity', `/account/identities/${identity.id}`, identityView(identity));
      return { ...answer, headers: { ...answer.headers, 'set-cookie': cookies.signIn(null) } };
    },

    async signOut({ caller }) {
      await sessions.signOut(caller);
      return { ...noContent(), headers: { 'set-cookie': cookies.session(null) } };
    },
  } satisfies Partial<Handlers<operations>>;
}

import {
  correlationId,
  noContent,
  ok,
  created,
  type Handlers,
  type RequestContext,
} from '@sluice/service-kit';
import { callerOf } from '../../core.ts';
import type { operations } from '../../generated/api.ts';
import { accountBody } from '../accounts/accounts.operations.ts';
import type { SessionsService } from '../sessions/sessions.service.ts';
import { signInCookie, type Cookies } from './cookies.ts';
import type { SignInService } from './sign-in.service.ts';

type SignInOperations = Handlers<
  operations,
  'beginSignIn' | 'completeSignIn' | 'signIn' | 'signUp' | 'signOut'
>;

/** @param returnUrl the page that the browser is sent to from the provider; without one it gets JSON */
export function signInOperations(
  signIns: SignInService,
  sessions: SessionsService,
  cookies: Cookies,
  returnUrl: string | undefined,
): SignInOperations {
  const signedIn = (token: string) => [cookies.session(token), cookies.signIn(null)];
  return {
    async beginSignIn({ body }) {
      const { url, secret } = await signIns.begin(body.source);
      return { ...ok({ url }), headers: { 'set-cookie': cookies.signIn(secret) } };
    },

    async completeSignIn(call) {
      const { token, pending, known } = await signIns.complete(call.cookies[signInCookie], call.query);
      const { name, email, email_verified } = pending;
      const next = known ? 'sign_in' : 'sign_up';
      const headers = { 'set-cookie': cookies.signIn(token) };
      if (returnUrl === undefined) return { ...ok({ next, name, email, email_verified }), headers };
      const location = new URL(returnUrl);
      location.searchParams.set('next', next);
      return { status: 303, body: undefined, headers: { ...headers, location: location.href } };
    },

    async signIn({ cookies: sent, context }) {
      const { user, session, token } = await signIns.signIn(causeOf(context), sent[signInCookie]);
      return { ...ok(accountBody(user, session)), headers: { 'set-cookie': signedIn(token) } };
    },

    async signUp({ cookies: sent, context, body }) {
      const { user, session, token } = await signIns.signUp(causeOf(context), sent[signInCookie], body);
      const answer = created('account', '/account', accountBody(user, session));
      return { ...answer, headers: { ...answer.headers, 'set-cookie': signedIn(token) } };
    },

    async signOut(call) {
      await sessions.signOut(callerOf(call));
      return { ...noContent(), headers: { 'set-cookie': cookies.session(null) } };
    },
  };
}

/** Nobody is signed in yet. */
function causeOf(context: RequestContext) {
  return { author: null, api_key: null, correlation_id: correlationId(context) };
}

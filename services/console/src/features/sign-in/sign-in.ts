import { parseCookie } from 'cookie';
import express, { type Request, type Response, type Router } from 'express';
import { cookiesOf, type AnswerLocals } from '@sluice/http';
import { Problem } from '@sluice/service';
import { z } from 'zod';
import { codeOf, type AskMainApi, type LayerAnswer } from '../../layers.ts';
import type { ConsoleCookies } from '../browser/cookies.ts';
import { returnPath } from './return-path.ts';

export interface SignInOptions {
  origin: URL;
  cookies: ConsoleCookies;
  mainApi: AskMainApi;
}

const begunSchema = z.object({ url: z.url({ protocol: /^https?$/ }) });
const nextSchema = z.enum(['sign_in', 'sign_up', 'link']);
const vouchedSchema = z.object({ next: nextSchema });

/**
 * Signing in as a browser does it without a script: `/sign-in?source=…&return_to=…` leads to the identity provider, which leads back to
 * `/sign-in/callback`. What a person has to decide or to read is on pages of the web app: `/sign-in`, `/sign-up`, `/account`.
 */
export function signInRoutes({ origin, cookies, mainApi }: SignInOptions): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get('/sign-in', async (request, response, next) => {
    const { source, return_to } = request.query;
    // another site cannot begin for a person: they choose on the page themselves
    if (typeof source !== 'string' || !isOwnWish(request)) return next();
    named(response, '/sign-in');
    const path = returnPath(typeof return_to === 'string' ? return_to : undefined, origin);
    await orPage(response, path, async () => {
      const answer = await ask(request, 'POST', '/account/auth/intents', { source });
      if (answer.status !== 200) return signInPage(codeOf(answer), path);
      response.append('set-cookie', [...cookiesIn(answer), cookies.returnTo(path)]);
      return begunSchema.parse(answer.body).url;
    });
  });

  router.get('/sign-in/callback', async (request, response) => {
    named(response, '/sign-in/callback');
    const path = returnPath(cookies.returnPathOf(cookiesOf(request)), origin);
    response.append('set-cookie', cookies.returnTo(null));
    await orPage(response, path, async () => {
      const { search } = new URL(request.url, origin);
      const answer = await ask(request, 'GET', `/account/auth/callback${search}`);
      const next = nextOf(answer);
      if (next === undefined) return signInPage(codeOf(answer), path);
      const set = cookiesIn(answer);
      if (next !== 'sign_in') {
        response.append('set-cookie', set);
        return next === 'sign_up' ? pageAt('/sign-up', { return_to: path }) : pageAt('/account', { next });
      }
      const signedIn = await ask(request, 'POST', '/account/sign_in', undefined, set);
      if (signedIn.status !== 200) return signInPage(codeOf(signedIn), path);
      response.append('set-cookie', cookiesIn(signedIn));
      return path;
    });
  });
  return router;

  /** @param kept cookies of the answer before, which the browser does not have yet */
  function ask(request: Request, method: 'GET' | 'POST', path: string, body?: object, kept?: string[]) {
    const sent = kept === undefined ? cookiesOf(request) : parseCookie(kept.map(pairOf).join('; '));
    const cookie = cookies.forLayer(sent, 'main-api');
    return mainApi({ ...{ method, path, cookie, address: request.ip }, ...(body && { body }) });
  }

  function cookiesIn({ headers }: LayerAnswer): string[] {
    return cookies.fromMainApi(headers.getSetCookie());
  }
}

const pairOf = (setCookie: string): string => setCookie.split(';', 1)[0] ?? '';

const named = (response: Response, operation: string) =>
  void Object.assign(response.locals as AnswerLocals, { operation });

/** Whether a person has asked for it on a page of the console, or in the address bar. */
const isOwnWish = (request: Request): boolean =>
  [undefined, 'same-origin', 'none'].includes(request.get('sec-fetch-site'));

/** What is next for whom the provider has vouched for; undefined when it has not. The Main API may lead to a page, and say it there. */
function nextOf({ status, body, headers }: LayerAnswer) {
  const location = status === 303 ? URL.parse(headers.get('location') ?? '') : null;
  const found = location ? { next: location.searchParams.get('next') } : body;
  return status < 400 ? vouchedSchema.safeParse(found).data?.next : undefined;
}

const pageAt = (path: string, parameters: Record<string, string>): string =>
  `${path}?${new URLSearchParams(parameters).toString()}`;

const signInPage = (error: string, path: string): string => pageAt('/sign-in', { error, return_to: path });

/** Leads to where `go` says; to the page for signing in when that fails, which says why. */
async function orPage(response: Response, path: string, go: () => Promise<string>): Promise<void> {
  try {
    response.redirect(303, await go());
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    response.redirect(303, signInPage(error.code, path));
  }
}

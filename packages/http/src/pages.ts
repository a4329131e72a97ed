import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '@sluice/grants';
import { Problem, problem } from '@sluice/service';
import { withinDeadline, type AnswerDeadline } from './answer-deadline.ts';
import type { Authorizer } from './api.ts';
import type { AnswerLocals } from './app.ts';
import { readForm } from './body.ts';
import { pageStyle } from './html.ts';
import type { RequestLimiter } from './rate-limit.ts';
import { cookiesOf, sessionHeader } from './session-cookie.ts';

/** A request for a page, or what one of its forms sends. */
export interface PageCall {
  query: ReadonlyMap<string, string>;
  form: ReadonlyMap<string, string>;
  cookies: Record<string, string | undefined>;
  address: string | null;
  /**
   * The person who is signed in in this browser; null without one. A form says it with the field `csrf_token`.
   * @throws Problem `csrf_token_invalid`
   */
  visitor: () => Promise<Caller | null>;
  /** The caller of what needs no session. */
  stranger: () => Promise<Caller>;
}

/** A page, or where to go on. */
export type PageAnswer = ({ page: string } | { location: string }) & { cookies?: string[] };
type PageHandler = (call: PageCall) => Promise<PageAnswer>;

export interface PagesOptions {
  /** by path, `GET` and `POST` */
  routes: Record<string, { GET?: PageHandler; POST?: PageHandler }>;
  /** the page for a request that is refused */
  refusal: (refused: Problem) => string;
  authorize: Authorizer<Caller>;
  limit: RequestLimiter;
  bodySeconds: number;
  deadline: AnswerDeadline;
}

const mostFormBytes = 4 * 2 ** 10;

const styleHash = createHash('sha256').update(pageStyle).digest('base64');

/** These pages run no script, load nothing, stand in no frame, and their forms lead nowhere else. */
const headers = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'x-frame-options': 'DENY',
};

/** Serves pages for people: HTML and forms, no part of the API that the document describes. */
export function pages({
  routes,
  refusal,
  authorize,
  limit,
  bodySeconds,
  deadline,
}: PagesOptions): RequestHandler {
  return async (request, response, next) => {
    const route = Object.hasOwn(routes, request.path) ? routes[request.path] : undefined;
    if (!route) return next();
    (response.locals as AnswerLocals).operation = request.path;
    await limit(request, response, { kind: 'public' });
    const handler =
      request.method === 'POST' ? route.POST : ['GET', 'HEAD'].includes(request.method) && route.GET;
    if (!handler) throw problem('method_not_allowed', { headers: { allow: Object.keys(route).join(', ') } });
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    try {
      const limits = { bytes: mostFormBytes, seconds: bodySeconds };
      const form =
        request.method === 'POST' ? await readForm(request, response, limits) : new Map<string, string>();
      send(response, await withinDeadline(deadline, () => handler(callOf(request, form, authorize))));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      (response.locals as AnswerLocals).code = error.code;
      response
        .status(error.status)
        .set(error.extras.headers ?? {})
        .type('html')
        .send(refusal(error));
    }
  };
}

function callOf(request: Request, form: Map<string, string>, authorize: Authorizer<Caller>): PageCall {
  const query = Object.entries(request.query).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  return {
    query: new Map(query),
    form,
    cookies: cookiesOf(request),
    address: request.ip?.replace(/^::ffff:(?=\d+\.)/i, '') ?? null,
    stranger: () => authorize(request, { kind: 'public' }),
    async visitor() {
      // a page is for browsers, which send cookies
      for (const name of ['svc-api-key', sessionHeader]) delete request.headers[name];
      request.headers['x-csrf-token'] = form.get('csrf_token') ?? '';
      try {
        return await authorize(request, { kind: 'session' });
      } catch (error) {
        if (error instanceof Problem && ['unauthenticated', 'session_required'].includes(error.code))
          return null;
        throw error;
      }
    },
  };
}

function send(response: Response, { cookies = [], ...answer }: PageAnswer): void {
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  if ('page' in answer) response.status(200).type('html').send(answer.page);
  else response.status(303).setHeader('location', answer.location).end();
}

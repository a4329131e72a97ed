import type { RequestHandler } from 'express';
import { Problem, problem } from '@sluice/service';
import { withinDeadline, type AnswerDeadline } from './answer-deadline.ts';
import type { AnswerLocals } from './app.ts';
import { readBytes } from './body.ts';
import type { RequestLimiter } from './rate-limit.ts';

export interface RawRoute {
  path: string;
  /** the most that a body may have */
  bytes: number;
  /** Takes a body. A problem that it throws counts for the rate limit of the sender's address, and nothing else does. */
  receive: (body: Uint8Array, header: (name: string) => string | undefined) => Promise<void>;
  limit: RequestLimiter;
  bodySeconds: number;
  deadline: AnswerDeadline;
}

/** Serves `POST path`, whose body is read as bytes, with 204: for signed events, no part of the API that the document describes. */
export function rawRoute({ path, bytes, receive, limit, bodySeconds, deadline }: RawRoute): RequestHandler {
  return async (request, response, next) => {
    if (request.path !== path) return next();
    (response.locals as AnswerLocals).operation = path;
    try {
      if (request.method !== 'POST') throw problem('method_not_allowed', { headers: { allow: 'POST' } });
      const body = await readBytes(request, response, { bytes, seconds: bodySeconds });
      await withinDeadline(deadline, () => receive(body, (name) => request.get(name)));
    } catch (error) {
      if (error instanceof Problem && error.status < 500) await limit(request, response, { kind: 'public' });
      throw error;
    }
    response.status(204).end();
  };
}

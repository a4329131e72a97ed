import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ProblemCode } from '@sluice/contracts';
import { collectDefaultMetrics, Registry } from '@prometheus-io/client';
import {
  isBusy,
  isTransient,
  type Log,
  NotReady,
  Problem,
  problem,
  countUncaughtErrors,
  currentContext,
  newContext,
  withContext,
} from '@sluice/service';
import type { OpenApiDocument } from './openapi/document.ts';
import { apiReference } from './api-reference.ts';
import { withinSeconds } from './deadline.ts';
import { lastAnswers } from './last-answers.ts';
import type { RequestLimiter } from './rate-limit.ts';
import { requestMetrics } from './request-metrics.ts';
import { securityHeaders } from './security-headers.ts';
import { shared } from './shared.ts';

export interface AppOptions {
  /** served at `/openapi.json` and, to be browsed, at `/docs` */
  document: OpenApiDocument;
  /** documents of further APIs that the service has, by the path at which they are served */
  furtherDocuments?: Record<string, OpenApiDocument>;
  routers: RequestHandler[];
  /** what has to answer for the service to be ready, by name; a check rejects when it does not */
  readiness: Record<string, () => Promise<unknown>>;
  metrics: Registry;
  /** further metrics, at `/metrics?scope=<name>`, piece by piece; each rejects, or ends early, where they cannot be read */
  metricScopes?: Record<string, () => Promise<AsyncIterable<string>>>;
  /** what the service is called in the metrics of requests */
  service: string;
  log: Log;
  /** counts what asks for no operation: unknown paths, and the documents */
  limit?: RequestLimiter;
  /** proxies whose `X-Forwarded-For` counts, separated by commas */
  trustedProxies: string;
  /** aborted once the service is about to stop: it is not ready any more, and each answer is the last of its connection */
  leaving: AbortSignal;
}

/** The Express application that every service has: health, metrics, documents, problem documents, and its API. */
export function createApp(options: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('query parser', 'simple');
  const proxies = options.trustedProxies.split(',').flatMap((proxy) => proxy.trim() || []);
  app.set('trust proxy', proxies.length > 0 ? proxies : false);

  app.use(lastAnswers(options.leaving));
  app.use(identify(options));
  app.use((_request, response, next) => {
    for (const [name, value] of securityHeaders) response.setHeader(name, value);
    next();
  });
  app.use(requireHost);
  app.use(refuseRepetitions);
  app.use(operational(options));
  app.use((_request, response, next) => {
    response.setHeader('cache-control', 'no-store');
    next();
  });
  for (const router of options.routers) app.use(router);
  app.use(async (request, response) => {
    await options.limit?.(request, response);
    throw problem('unknown_path');
  });
  app.use(answerProblems(options.log));
  return app;
}

/** What the log and the metrics tell of an answer. */
export interface AnswerLocals {
  /** the operation that was asked for, once that is known */
  operation?: string;
  /** of the problem that it is */
  code?: ProblemCode;
  /** whether it is one of so many that it is logged at debug level alone */
  routine?: boolean;
  /** whether the request was held until what it reads changes */
  isHeld?: boolean;
  /** whether its connection has become a WebSocket's */
  isUpgraded?: boolean;
}

/** Gives each request its id and its context, counts it and logs whose it was and how it ended. */
function identify({ log, metrics, service, document }: AppOptions): RequestHandler {
  const requests = requestMetrics(metrics, service);
  return (request, response, next) => {
    const context = newContext(request.get('traceparent'));
    context.fail = (error) => answerProblem(log, error, context.requestId, response);
    response.setHeader('svc-request', context.requestId);
    response.setHeader('svc-release', document.info.version);
    const begun = performance.now();
    const ended = requests.begin();
    const from = request.ip;
    response.once('close', () => {
      const seconds = (performance.now() - begun) / 1000;
      const path = request.originalUrl.split('?', 1)[0];
      const { operation, code, routine, isHeld, isUpgraded } = response.locals as AnswerLocals;
      const status = isUpgraded ? 101 : response.writableFinished ? response.statusCode : 499;
      ended({ operation, status, code, seconds: isHeld ? undefined : seconds });
      withContext(context, () =>
        log[routine && status < 400 ? 'debug' : 'info']('request', {
          method: request.method,
          path,
          status,
          milliseconds: Math.round(seconds * 1000),
          from,
          ...context.caller,
          code,
        }),
      );
    });
    withContext(context, next);
  };
}

/** HTTP/1.1 demands it, and Node would refuse without a problem document. */
const requireHost: RequestHandler = (request, _response, next) => {
  if (request.httpVersion === '1.1' && request.get('host') === undefined)
    throw problem('malformed_request', { detail: 'The Host header is missing.' });
  next();
};

/** Of these Node would take the first, or join all: a proxy in front may go by another one. */
const singleHeaders = new Set([
  ...['host', 'authorization', 'svc-api-key', 'svc-session', 'x-csrf-token', 'idempotency-key'],
  ...['content-length', 'content-type', 'transfer-encoding'],
]);

const refuseRepetitions: RequestHandler = ({ rawHeaders }, _response, next) => {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (!singleHeaders.has(name)) continue;
    if (seen.has(name)) throw problem('malformed_request', { detail: `The header ${name} is there twice.` });
    seen.add(name);
  }
  next();
};

let collected: Registry | undefined;

/** The metrics of the process, collected once: each collection has timers and observers that never end, and tests start many services. */
function processMetrics(): Registry {
  if (collected) return collected;
  collected = new Registry();
  collectDefaultMetrics({ register: collected });
  return collected;
}

/** What needs no key: `/healthz`, `/readyz`, `/metrics`, `/openapi.json` and `/docs`. */
function operational(options: AppOptions): Router {
  const { document, furtherDocuments, readiness, metrics, leaving, log, limit } = options;
  const ofProcess = processMetrics();
  countUncaughtErrors(metrics);
  const check = shared(() => Promise.all(Object.entries(readiness).map((entry) => outcomeOf(entry, log))));
  const measure = shared(async () => `${await ofProcess.metrics()}\n${await metrics.metrics()}`);
  // one spelling of each path: an ingress that keeps one to the operator has no other to think of
  const router = express.Router({ caseSensitive: true, strict: true });
  // asked for every few seconds: an answer that says nothing new is no line of the log
  const named = (response: Response, operation: string) =>
    Object.assign(response.locals as AnswerLocals, { operation, routine: true });
  router.get('/healthz', (_request, response) => {
    named(response, '/healthz');
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (request, response) => {
    named(response, '/readyz');
    const checks = await check();
    // what is wrong in all replicas alike, such as a consumer that stands still, is no reason to send callers to none
    const excluded = [request.query['exclude'] ?? []].flat();
    const counted = checks.filter(({ name }) => !excluded.includes(name));
    const ready = !leaving.aborted && counted.every(({ outcome }) => outcome === 'ok');
    const reasons = checks.flatMap(({ name, reason }) => (reason === undefined ? [] : [[name, reason]]));
    response.status(ready ? 200 : 503).json({
      status: ready ? 'ok' : 'unavailable',
      checks: Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome])),
      ...(reasons.length > 0 && { reasons: Object.fromEntries(reasons) as Record<string, string> }),
    });
  });
  router.get('/metrics', async (request, response) => {
    named(response, '/metrics');
    response.type(metrics.contentType);
    if ('scope' in request.query) await sendScope(options, request, response);
    else response.send(await measure());
  });
  const documents = { '/openapi.json': document, ...furtherDocuments };
  for (const [path, served] of Object.entries(documents)) {
    const text = JSON.stringify(served);
    router.get(path, async (request, response) => {
      await limit?.(request, response, { kind: 'public' });
      response.type('json').send(text);
    });
  }
  router.use('/docs', async (request, response, next) => {
    await limit?.(request, response, { kind: 'public' });
    next();
  });
  router.use('/docs', apiReference(documents));
  return router;
}

/** At the path of the service's own metrics, which each edge keeps to the operator already. */
async function sendScope(
  { metricScopes = {} }: AppOptions,
  request: Request,
  response: Response,
): Promise<void> {
  const { scope } = request.query;
  const open = typeof scope === 'string' ? new Map(Object.entries(metricScopes)).get(scope) : undefined;
  if (!open)
    throw problem('unknown_parameter', { detail: 'scope names no further metrics of this service.' });
  const text = Readable.from(await open());
  const isPacked = request.acceptsEncodings('gzip') === 'gzip';
  if (isPacked) response.setHeader('content-encoding', 'gzip');
  const ends = isPacked ? pipeline(text, createGzip({ level: 1 }), response) : pipeline(text, response);
  await ends.catch((error: unknown) => {
    // who asks has gone
    if (!response.destroyed) throw error;
  });
}

interface Outcome {
  name: string;
  outcome: 'ok' | 'unavailable';
  reason?: string;
}

/** a check of readiness that takes longer has failed */
const checkSeconds = 2;

async function outcomeOf([name, check]: [string, () => Promise<unknown>], log: Log): Promise<Outcome> {
  try {
    await withinSeconds(checkSeconds, check);
    return { name, outcome: 'ok' };
  } catch (error) {
    log.warn('not ready', { check: name, error });
    return { name, outcome: 'unavailable', ...(error instanceof NotReady && { reason: error.message }) };
  }
}

/** Turns a thrown value into a problem document. Only problems show their text; other errors are logged. */
function answerProblems(log: Log): ErrorRequestHandler {
  // Express recognises error handlers by their four parameters
  return (error: unknown, _request, response, _next) =>
    answerProblem(log, error, currentContext()?.requestId ?? '', response);
}

function answerProblem(log: Log, error: unknown, requestId: string, response: Response): void {
  const shown = asProblem(error);
  if (shown.code === 'internal') log.error('a request failed', { error });
  else if (shown.status >= 500) log.warn('a request could not be answered', { reason: shown.message });
  if (response.writableEnded) return;
  (response.locals as AnswerLocals).code = shown.code;
  if (response.headersSent) return void response.destroy();
  response
    .status(shown.status)
    .set(shown.extras.headers ?? {})
    .type('application/problem+json')
    .send(JSON.stringify(shown.document(requestId)));
}

function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  // a path that cannot be decoded
  if (error instanceof URIError) return problem('malformed_request');
  if (isBusy(error)) return problem('database_busy', { headers: { 'retry-after': '1' } });
  return problem(isTransient(error) ? 'unavailable' : 'internal');
}

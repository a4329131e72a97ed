import { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import {
  httpMethods,
  operationsOf,
  type OpenApiDocument,
  type OperationObject,
  type PathItem,
} from '../openapi/document.ts';
import { bodyBytesOf } from '../openapi/body-size.ts';
import { errorAnswersOf } from '../openapi/operation-errors.ts';
import { declarationOf, type Declaration } from '../openapi/permission.ts';
import { RightChanged } from '../origin.ts';
import { Problem, problem } from '../problem.ts';
import { bodyReader, unstorable, type BodyLocals } from './body.ts';
import { canExist } from './path-ids.ts';
import { malformedNumbers } from './whole-numbers.ts';
import { cookiesOf } from './session-cookie.ts';
import type { AnswerLocals } from './app.ts';
import type { Answer, Call } from './typed.ts';
import { validatedDocument } from './validated-document.ts';
import { pathValidator, validationProblem } from './validation.ts';

/**
 * Decides who is calling and whether they may: the first thing that happens to a request.
 * @throws Problem `unauthenticated`, `forbidden` or one of their kin; `not_found` for what must not be seen
 */
export type Authorizer<Who> = (request: Request, declaration: Declaration) => Promise<Who>;

export interface ApiOptions<Who> {
  document: OpenApiDocument;
  /** by operationId; the generated `Handlers<operations>` type keeps them and the document together */
  handlers: object;
  authorize: Authorizer<Who>;
  validateResponses: boolean;
  /** the time that a body may take to arrive */
  bodySeconds?: number;
  /** Counts every request, before anything else is done for it. @throws Problem `rate_limited` */
  limit?: (request: Request, response: Response, declaration?: Declaration) => Promise<void> | void;
  /** answers requests that come again with the same `Idempotency-Key` */
  once?: (
    request: Request,
    response: Response,
    caller: Who,
    run: (caller: Who) => Promise<Answer>,
  ) => Promise<Answer>;
}

type AnyHandler<Who> = (
  call: Call<Record<string, unknown>, Record<string, unknown>, unknown, Who>,
) => Promise<Answer>;

interface Route<Who> {
  operation: OperationObject;
  declaration: Declaration;
  errors: ReadonlySet<string>;
  handler: AnyHandler<Who>;
  readBody: RequestHandler;
}

/**
 * Serves an OpenAPI document: routes, authorization, validation and answers all follow from it. The order of checks
 * is the interface's: 401, 403, 400, 404, then whatever the handler's rules find.
 * @throws Error when an operation lacks a handler or a valid `x-permission`, or a handler its operation
 */
export function createApi<Who>(options: ApiOptions<Who>): Router {
  const document = validatedDocument(options.document);
  const handlers = new Map(Object.entries(options.handlers) as [string, AnyHandler<Who>][]);
  checkCompleteness(document, new Set(handlers.keys()));

  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, item] of Object.entries(literalPathsFirst(document.paths))) {
    const routes = routesOf(options, path, item, handlers);
    router.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), ...pathHandlers(options, document, path, item, routes));
  }
  return router;
}

function checkCompleteness(document: OpenApiDocument, handlers: Set<string>): void {
  const ids = operationsOf(document).map(({ operation }) => operation.operationId);
  const missing = ids.filter((id) => !handlers.delete(id));
  if (missing.length > 0) throw new Error(`These operations have no handler: ${missing.join(', ')}`);
  if (handlers.size > 0) throw new Error(`These handlers have no operation: ${[...handlers].join(', ')}`);
}

/** `/api_keys/context` has to be tried before `/api_keys/{id}`. */
function literalPathsFirst(paths: Record<string, PathItem>): Record<string, PathItem> {
  const rank = (path: string) => path.replaceAll(/\{\w+\}/g, '\u{10ffff}');
  return Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1)));
}

function routesOf<Who>(
  { bodySeconds = 15 }: ApiOptions<Who>,
  path: string,
  item: PathItem,
  handlers: Map<string, AnyHandler<Who>>,
): Map<string, Route<Who>> {
  const routes = new Map<string, Route<Who>>();
  for (const method of httpMethods) {
    const operation = item[method];
    const handler = operation && handlers.get(operation.operationId);
    if (!operation || !handler) continue;
    const declared = { path, method, operation };
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
    const declaration = declarationOf(declared);
    const errors = new Set<string>(errorAnswersOf(declared).flatMap(({ codes }) => codes));
    const { required = false } = (operation.requestBody ?? {}) as { required?: boolean };
    routes.set(method.toUpperCase(), {
      operation: { ...operation, parameters },
      declaration,
      errors,
      handler,
      readBody: bodyReader({ required, bytes: bodyBytesOf(declaration), seconds: bodySeconds }),
    });
  }
  const get = routes.get('GET');
  if (get) routes.set('HEAD', get);
  return routes;
}

/** of a larger body only the first issue is looked for: each costs time, in which nobody else is answered */
const mostValuesForAllIssues = 1_000;

function pathHandlers<Who>(
  options: ApiOptions<Who>,
  document: OpenApiDocument,
  path: string,
  item: PathItem,
  routes: Map<string, Route<Who>>,
): (RequestHandler | ErrorRequestHandler)[] {
  const callers = new WeakMap<Request, Who>();
  const pathParameters = new WeakMap<Request, Record<string, string>>();
  const routeOf = (request: Request): Route<Who> => {
    const route = routes.get(request.method);
    if (route) return route;
    throw problem('method_not_allowed', { headers: { allow: [...routes.keys()].join(', ') } });
  };
  // built when the path is first asked for: a service has many paths and starts faster without
  const validatorsOf = (allErrors: boolean) =>
    pathValidator(document, path, item, { validateResponses: options.validateResponses, allErrors });
  let all: RequestHandler[] | undefined;
  let first: RequestHandler[] | undefined;

  /** Authorizes by what the path was when the request came: the validator turns ids into numbers. */
  const allowed = (request: Request, { declaration }: Route<Who>) => {
    const validated = request.params;
    request.params = pathParameters.get(request) ?? {};
    return options.authorize(request, declaration).finally(() => (request.params = validated));
  };
  const limit: RequestHandler = async (request, response, next) => {
    await options.limit?.(request, response, routes.get(request.method)?.declaration);
    next();
  };
  const authorize: RequestHandler = async (request, _response, next) => {
    const { declaration } = routeOf(request);
    pathParameters.set(request, { ...request.params } as Record<string, string>);
    const caller = await options.authorize(request, declaration);
    callers.set(request, caller);
    next();
  };
  const readBody: RequestHandler = (request, response, next) =>
    routeOf(request).readBody(request, response, next);
  const validate: RequestHandler = (request, response, next) => {
    const issue = unstorable(request.query, '/query');
    const fieldIssues = issue ? [issue] : malformedNumbers(request.query, routeOf(request).operation);
    if (fieldIssues.length > 0) throw problem('invalid_request', { fieldIssues });
    // the document knows no HEAD: it is GET, and Node leaves the answer's body out
    if (request.method === 'HEAD') request.method = 'GET';
    const { bodyValues = 0 } = response.locals as BodyLocals;
    const validators =
      bodyValues <= mostValuesForAllIssues ? (all ??= validatorsOf(true)) : (first ??= validatorsOf(false));
    runInTurn(validators, request, response, next);
  };
  const refuse: ErrorRequestHandler = (error: unknown, request, _response, next) => {
    const operation = routes.get(request.method)?.operation;
    next((operation && validationProblem(error, operation)) ?? error);
  };
  const checkError: ErrorRequestHandler = (error: unknown, request, _response, next) => {
    const route = routes.get(request.method);
    next(options.validateResponses && route ? undeclared(error, route) : error);
  };
  const answer: RequestHandler = async (request, response) => {
    (response.locals as AnswerLocals).routine = routeOf(request).declaration.kind === 'agent';
    const ids = Object.entries(pathParameters.get(request) ?? {}).filter(([name]) => name.endsWith('_id'));
    if (!ids.every(([, id]) => canExist(id))) throw problem('not_found');
    const route = routeOf(request);
    // the body may have taken long to come
    const caller = request.body === undefined ? (callers.get(request) as Who) : await allowed(request, route);
    const run = (who: Who) =>
      whileAllowed(
        (again) => route.handler(callOf(request, response, again)),
        who,
        () => allowed(request, route),
      );
    send(response, await (options.once ? options.once(request, response, caller, run) : run(caller)));
  };
  return [limit, authorize, readBody, validate, refuse, answer, checkError];
}

/** any request can bring a body, also where none is asked for */
const unaskedBody = [
  'body_too_complex',
  'malformed_json',
  'malformed_request',
  'payload_too_large',
  'request_timeout',
  'unsupported_media_type',
];

/** The error itself, or, for a problem that the operation does not declare, one that says so. */
function undeclared<Who>(error: unknown, { operation, errors }: Route<Who>): unknown {
  if (!(error instanceof Problem) || errors.has(error.code) || unaskedBody.includes(error.code)) return error;
  return new Error(`${operation.operationId} answers '${error.code}', which it does not declare`);
}

const attempts = 3;

/**
 * Has a request its effect; where its right was changed before the commit, nothing has happened, and it begins again as
 * whoever its caller is by then.
 * @throws Problem `unauthenticated` or `forbidden` when the right is gone, `unavailable` when it changes all the time
 */
async function whileAllowed<Who>(
  run: (caller: Who) => Promise<Answer>,
  caller: Who,
  authorize: () => Promise<Who>,
): Promise<Answer> {
  let who = caller;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    try {
      return await run(who);
    } catch (error) {
      if (!(error instanceof RightChanged)) throw error;
      who = { ...who, ...(await authorize()) };
    }
  }
  throw problem('unavailable', {
    detail: 'The rights of the caller change all the time; try again shortly.',
  });
}

function runInTurn(
  handlers: RequestHandler[],
  request: Request,
  response: Response,
  done: (error?: unknown) => void,
) {
  const step = (position: number) => (error?: unknown) => {
    const handler = handlers[position];
    if (error || !handler) return done(error);
    const next = step(position + 1);
    // some answer later, by a promise: what it rejects with is the request's, and nobody else's
    (async () => await handler(request, response, next))().catch(done);
  };
  step(0)();
}

function callOf<Who>(request: Request, response: Response, caller: Who) {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return {
    caller,
    params: request.params,
    query: queryOf(request),
    body: request.body as unknown,
    cookies: cookiesOf(request),
    url: request.originalUrl,
    signal: gone.signal,
  };
}

/** The parsed query. A number that no id can be any more becomes one that names nothing, and that every store can compare. */
function queryOf({ query }: Request): Record<string, unknown> {
  const entries = Object.entries(query as Record<string, unknown>);
  const largest = Number.MAX_SAFE_INTEGER;
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'number' ? Math.min(value, largest) : value]),
  );
}

function send(response: Response, { status, body, headers }: Answer): void {
  response.status(status).set(headers ?? {});
  if (body === undefined) response.end();
  else response.json(body);
}

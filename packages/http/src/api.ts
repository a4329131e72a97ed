import { withinSpan } from '@sluice/system/tracing';
import { type Request, type RequestHandler, type Response } from 'express';
import {
  httpMethods,
  operationsOf,
  type OpenApiDocument,
  type OperationObject,
  type PathItem,
} from './openapi/document.ts';
import { bodyBytesOf } from './openapi/body-size.ts';
import { etagFieldsOf } from './openapi/conditional.ts';
import { deprecationHeadersOf } from './openapi/deprecation.ts';
import { errorAnswersOf } from './openapi/operation-errors.ts';
import { declarationOf, type Declaration } from './openapi/permission.ts';
import { currentContext, RightChanged, Problem, problem } from '@sluice/service';
import { withinDeadline, type AnswerDeadline } from './answer-deadline.ts';
import { bodyReader } from './body.ts';
import { canExist } from './path-ids.ts';
import { conditional, requireMatch, type EtagFields } from './etag.ts';
import { Paths } from './paths.ts';
import type { NoteRefusal } from './refusals.ts';
import { letGo, sendRaw } from './raw-answer.ts';
import { cookiesOf } from './session-cookie.ts';
import type { AnswerLocals } from './app.ts';
import { beginRequestSpan } from './request-span.ts';
import type { Answer, Call } from './typed.ts';
import { validatedDocument } from './validated-document.ts';
import { isIdOrOptional, requestValidation, type Parameter } from './request-validation.ts';
import { asksForUpgrade, handOver } from './upgrades.ts';
import { longestWait, type Waiting } from './waiting.ts';
import { validationProblem } from './validation.ts';

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
  /** the same while a request goes on: that is no use of the key or session; default: `authorize` */
  recheck?: Authorizer<Who>;
  validateResponses: boolean;
  /** the time that a body may take to arrive */
  bodySeconds?: number;
  /** of every operation without `x-without-deadline` */
  deadline?: AnswerDeadline;
  /** Counts every request, before anything else is done for it. @throws Problem `rate_limited` */
  limit?: (request: Request, response: Response, declaration?: Declaration) => Promise<void> | void;
  /** called with every refusal, which it may record */
  refused?: NoteRefusal;
  /** holds requests of operations with `x-waits` until what they read changes */
  waiting?: Waiting;
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
  /** what counts for the ETag; undefined: its answers have none */
  etagFields: EtagFields | undefined;
  waits: boolean;
  /** that it is deprecated, and when it goes */
  warnings: Record<string, string>;
  readBody: (request: Request, response: Response) => Promise<void>;
  /** none: the operation takes as long as it has to, or has a limit of its own */
  deadline: AnswerDeadline | undefined;
  /** whether only a body or a query could be wrong: the ids of the path are all there is else */
  idsAlone: boolean;
}

/**
 * Serves an OpenAPI document: routes, authorization, validation and answers all follow from it. The order of checks
 * is the interface's: 401, 403, 400, 404, then the handler's own rules.
 * @throws Error when an operation lacks a handler or a valid `x-permission`, or a handler its operation
 */
export function createApi<Who>(options: ApiOptions<Who>): RequestHandler {
  const document = validatedDocument(options.document);
  const handlers = new Map(Object.entries(options.handlers) as [string, AnyHandler<Who>][]);
  checkCompleteness(document, new Set(handlers.keys()));

  const paths = new Paths<PathHandler>();
  for (const [path, item] of Object.entries(literalPathsFirst(document.paths)))
    paths.add(
      path,
      pathHandler(options, document, path, item, routesOf(options, document, path, item, handlers)),
    );
  return async (request, response, next) => {
    const found = paths.find(request.path);
    if (!found) return next();
    await found.value(request, response, found.parameters);
  };
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
  { bodySeconds = 15, deadline, validateResponses }: ApiOptions<Who>,
  document: OpenApiDocument,
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
      etagFields: etagFieldsOf(declared, document),
      waits: operation['x-waits'] === true,
      warnings: deprecationHeadersOf(declared),
      deadline: operation['x-without-deadline'] === true ? undefined : deadline,
      readBody: bodyReader({
        ignored: operation['x-ignores-body'] === true,
        required,
        bytes: bodyBytesOf(declaration),
        seconds: bodySeconds,
      }),
      idsAlone: !required && !validateResponses && (parameters as Parameter[]).every(isIdOrOptional),
    });
  }
  const get = routes.get('GET');
  if (get) routes.set('HEAD', get);
  return routes;
}

/** Answers a request whose path has been found. */
type PathHandler = (
  request: Request,
  response: Response,
  parameters: Record<string, string>,
) => Promise<void>;

function pathHandler<Who>(
  options: ApiOptions<Who>,
  document: OpenApiDocument,
  path: string,
  item: PathItem,
  routes: Map<string, Route<Who>>,
): PathHandler {
  const { authorize, recheck = authorize, limit, once, waiting, validateResponses } = options;
  const validate = requestValidation(document, path, item, validateResponses);

  async function answer(request: Request, response: Response, parameters: Record<string, string>) {
    const route = routes.get(request.method);
    if (route) (response.locals as AnswerLocals).operation = route.operation.operationId;
    for (const name in route?.warnings) response.setHeader(name, route.warnings[name] ?? '');
    await limit?.(request, response, route?.declaration);
    if (!route) throw problem('method_not_allowed', { headers: { allow: [...routes.keys()].join(', ') } });
    const caller = await authorize(request, route.declaration);
    await route.readBody(request, response);
    await validate(request, response, route);
    (response.locals as AnswerLocals).routine = route.declaration.kind === 'agent';
    for (const name in parameters)
      if (name.endsWith('_id') && !canExist(parameters[name] ?? '')) throw problem('not_found');
    /** By what the path was when the request came: validated, ids are numbers. */
    const allowed = async () => {
      const validated = request.params;
      request.params = parameters;
      return await recheck(request, route.declaration).finally(() => (request.params = validated));
    };
    const run = (who: Who) =>
      whileAllowed((again) => route.handler(callOf(request, response, again, allowed)), who, allowed);
    // the body may have taken long to come
    const who = request.body === undefined ? caller : await allowed();
    if (waiting && route.waits && request.method === 'GET' && request.get('prefer') !== undefined) {
      let isFirst = true;
      return await waiting.answer({
        request,
        deploymentId: Number(parameters['deployment_id']),
        fields: route.etagFields,
        // the deadline of the answer is for everybody
        atMost: (route.deadline?.seconds ?? longestWait + secondsToAnswer) - secondsToAnswer,
        gone: goneSignal(response),
        held: () => ((response.locals as AnswerLocals).isHeld = true),
        read: async () => {
          const reader = isFirst ? who : await allowed();
          isFirst = false;
          return await run(reader);
        },
      });
    }
    return once ? await once(request, response, who, run) : await run(who);
  }

  async function respond(request: Request, response: Response, parameters: Record<string, string>) {
    request.params = { ...parameters };
    const withBody = request.method !== 'HEAD';
    try {
      const deadline = routes.get(request.method)?.deadline;
      const work = async () => {
        const ready = await answer(request, response, parameters);
        if (ready.raw && currentContext()?.isPastDeadline) await letGo(ready.raw);
        return ready;
      };
      const given = await (deadline ? withinDeadline(deadline, work) : work());
      const fields = routes.get(request.method)?.etagFields;
      const answered = fields ? conditional(request, given, fields) : given;
      const upgrade = answered.takeOver && handOver(request, response);
      if (answered.takeOver && upgrade) {
        Object.assign(response.locals as AnswerLocals, { isHeld: true, isUpgraded: true });
        answered.takeOver(request, upgrade.socket, upgrade.head);
      } else if (answered.raw) await sendRaw(response, answered.raw, withBody);
      else send(response, answered, validateResponses);
    } catch (error) {
      const route = routes.get(request.method);
      const refusal = (route && validationProblem(error, route.operation)) ?? error;
      if (route && refusal instanceof Problem)
        options.refused?.(
          { operation: route.operation.operationId, parameters, address: request.ip },
          refusal,
        );
      throw validateResponses && route ? undeclared(refusal, route) : refusal;
    }
  }

  return (request, response, parameters) => {
    const span = beginRequestSpan(request, response, routes.get(request.method));
    return withinSpan(span, () => respond(request, response, parameters));
  };
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

/** what remains of the deadline of a request that has waited */
const secondsToAnswer = 5;

const attempts = 3;

/**
 * Has a request its effect; where its right was changed before the commit, nothing has happened, and it begins again as
 * for any caller.
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

function callOf<Who>(request: Request, response: Response, caller: Who, allowed: () => Promise<Who>) {
  return {
    caller,
    params: request.params,
    query: queryOf(request),
    body: request.body as unknown,
    ifMatch: (representation: () => unknown) =>
      requireMatch(
        { ifMatch: request.get('if-match'), ifNoneMatch: request.get('if-none-match') },
        representation,
      ),
    get cookies() {
      return cookiesOf(request);
    },
    url: request.originalUrl,
    address: request.ip?.replace(/^::ffff:(?=\d+\.)/i, '') ?? null,
    get signal() {
      return goneSignal(response);
    },
    webSocket: { isOffered: asksForUpgrade(request), origin: request.get('origin') ?? null },
    lastEventId: request.get('last-event-id'),
    allowed,
  };
}

/** Aborted when the client goes away before the answer. */
function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController();
  const abort = () => {
    if (!response.writableFinished) gone.abort();
  };
  if (response.closed) abort();
  else response.once('close', abort);
  return gone.signal;
}

/** The parsed query. A number that no id can be any more becomes one that names nothing, and that every store can compare. */
function queryOf(request: Request): Record<string, unknown> {
  if (!request.originalUrl.includes('?')) return {};
  const entries = Object.entries(request.query as Record<string, unknown>);
  const largest = Number.MAX_SAFE_INTEGER;
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'number' ? Math.min(value, largest) : value]),
  );
}

/** @param validated whether the validator shall see the answer: it looks into `response.json` */
function send(response: Response, { status, body, headers }: Answer, validated: boolean): void {
  response.status(status);
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
  if (body === undefined) response.end();
  else if (validated) response.json(body);
  else {
    const text = JSON.stringify(body);
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.setHeader('content-length', Buffer.byteLength(text));
    response.end(text);
  }
}

import type { Request, RequestHandler, Response } from 'express';
import type { OpenApiDocument, OperationObject, PathItem } from './openapi/document.ts';
import { problem, currentContext } from '@sluice/service';
import { unstorable, type BodyLocals } from './body.ts';
import { pathValidator } from './validation.ts';
import { isWholeNumber, malformedNumbers } from './whole-numbers.ts';

/** of a larger body only the first issue is looked for: each costs time of the event loop */
const mostValuesForAllIssues = 1_000;

/** What has been built for a document, by what it is for: replicas of one process, as tests have them, share it. */
const validatorsByDocument = new WeakMap<OpenApiDocument, Map<string, RequestHandler[]>>();

function validatorsOf(document: OpenApiDocument): Map<string, RequestHandler[]> {
  const validators = validatorsByDocument.get(document) ?? new Map<string, RequestHandler[]>();
  validatorsByDocument.set(document, validators);
  return validators;
}

/** What validation has to know of an operation. */
interface Declared {
  operation: OperationObject;
  /** whether only a body or a query could be wrong: the ids of the path are all there is else */
  idsAlone: boolean;
}

/**
 * Validates requests against an operation of a path, and turns ids into numbers. Where there is neither a body nor a query
 * and the ids are numbers, the validator would find nothing, and is not asked.
 * @throws Problem `invalid_request`; what `validationProblem` understands
 */
export function requestValidation(
  document: OpenApiDocument,
  path: string,
  item: PathItem,
  validateResponses: boolean,
) {
  const known = validatorsOf(document);
  // built when the path is first asked for: a service has many paths and starts faster without
  const validators = (allErrors: boolean) => {
    const key = `${path} ${validateResponses} ${allErrors}`;
    const built = known.get(key) ?? pathValidator(document, path, item, { validateResponses, allErrors });
    known.set(key, built);
    return built;
  };

  return async (request: Request, response: Response, { operation, idsAlone }: Declared) => {
    // the document knows no HEAD: it is GET, and Node leaves the answer's body out
    if (request.method === 'HEAD') request.method = 'GET';
    const ids = Object.entries(request.params) as [string, string][];
    if (
      idsAlone &&
      request.body === undefined &&
      !request.originalUrl.includes('?') &&
      ids.every(([, id]) => isWholeNumber(id))
    ) {
      const { params } = request as { params: Record<string, unknown> };
      for (const [name, id] of ids) params[name] = Number(id);
      return;
    }
    const issue = unstorable(request.query, '/query');
    const fieldIssues = issue ? [issue] : malformedNumbers(request.query, operation);
    if (fieldIssues.length > 0) throw problem('invalid_request', { fieldIssues });
    const { bodyValues = 0 } = response.locals as BodyLocals;
    await runInTurn(validators(bodyValues <= mostValuesForAllIssues), request, response);
  };
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: { type?: unknown; minimum?: unknown; default?: unknown };
}

/** Whether a parameter that has to be well-formed can only be an id. */
export function isIdOrOptional({ name, in: place, required, schema }: Parameter): boolean {
  if (place === 'query' || place === 'header') return required !== true && schema?.default === undefined;
  return place === 'path' && name.endsWith('_id') && schema?.type === 'integer' && schema.minimum === 0;
}

function runInTurn(handlers: RequestHandler[], request: Request, response: Response): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let passed = false;
  // an answer that does not fit the document comes here as well, when the handlers have long let the request pass
  const fail = (error: unknown) => (passed ? currentContext()?.fail?.(error) : reject(error));
  const step = (position: number) => (error?: unknown) => {
    const handler = handlers[position];
    if (error) return fail(error);
    if (!handler) {
      passed = true;
      return resolve();
    }
    const next = step(position + 1);
    // some answer later, by a promise: a rejection belongs to this request alone
    (async () => await handler(request, response, next))().catch(fail);
  };
  step(0)();
  return promise;
}

import type { RequestHandler } from 'express';
import { isMailAddress, type FieldIssue } from '@sluice/contracts';
import { error as refusals } from 'express-openapi-validator';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import { Problem, problem } from '@sluice/service';
import {
  httpMethods,
  type OpenApiDocument,
  type OperationObject,
  type PathItem,
} from './openapi/document.ts';
import { describeViolation } from './violations.ts';

type OpenApiSpec = Awaited<Parameters<OpenApiValidator['installMiddleware']>[0]>;

let serial = 0;

/**
 * A validator for one path of the document. One instance over a whole document compiles every route's pattern
 * again on each request; an instance per path item does not (bench/http-validation measures both). The validator is given
 * the document as its loader would hand it over: the loader compiles the schema of OpenAPI itself, for each path anew and
 * though configured not to validate by it, which takes 50 ms of the first request to each.
 * @param document with all references resolved
 */
export function pathValidator(
  document: OpenApiDocument,
  path: string,
  item: PathItem,
  { validateResponses, allErrors }: { validateResponses: boolean; allErrors: boolean },
): RequestHandler[] {
  const apiDoc = {
    openapi: document.openapi,
    info: document.info,
    paths: { [path]: structuredClone(item) },
  } as unknown as OpenApiSpec['apiDoc'];
  const validator = new OpenApiValidator({
    apiSpec: apiDoc,
    validateApiSpec: false,
    validateRequests: { allErrors },
    validateResponses: validateResponses && {
      onError: (error) => {
        throw error;
      },
    },
    validateSecurity: false,
    validateFormats: true,
    formats: { email: { type: 'string', validate: isMailAddress } },
    fileUploader: false,
  });
  const spec = { apiDoc, basePaths: [''], routes: routesOf(path, item), serial: ++serial };
  return validator.installMiddleware(Promise.resolve(spec));
}

/** The routes of a path, as the validator's own loader tells them. */
function routesOf(path: string, item: PathItem): OpenApiSpec['routes'] {
  const pathParams = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!);
  return httpMethods
    .filter((method) => item[method])
    .map((method) => ({
      basePath: '',
      expressRoute: path.replaceAll(/\{([^}]+)\}/g, ':$1'),
      openApiRoute: path,
      method: method.toUpperCase(),
      pathParams,
    }));
}

/** Turns the validator's refusal into Sluice's: own codes, own sentences, a JSON pointer for each issue. */
export function validationProblem(error: unknown, operation: OperationObject): Problem | undefined {
  if (!(error instanceof refusals.BadRequest)) return undefined;
  const all = error.errors.map((violation): FieldIssue => {
    const keyword = violation.errorCode?.replace(/\.openapi\.validation$/, '') ?? 'invalid';
    const path = violation.path.replace(/^\/params\//, '/path/');
    return { path, ...describeViolation(keyword, path, operation, violation.message) };
  });
  // what is wrong with a name is reported once more at the object that has it
  const named = new Set(all.filter(({ code }) => code === 'wrong_name').map(({ path }) => path));
  const others = all.filter(
    ({ path, code }) => !named.has(path) || !['wrong_format', 'too_long'].includes(code),
  );
  // and once for each name
  const issues = [...new Map(others.map((issue) => [JSON.stringify(issue), issue])).values()];
  // a typo is what a caller most wants to hear of
  const typo = (['unknown_field', 'unknown_parameter'] as const).find((code) =>
    issues.some((issue) => issue.code === code),
  );
  return problem(typo ?? 'invalid_request', { fieldIssues: issues });
}

import type { RequestHandler } from 'express';
import { isMailAddress, type FieldIssue } from '@sluice/contracts';
import * as OpenApiValidator from 'express-openapi-validator';
import { Problem, problem } from '../problem.ts';
import type { OpenApiDocument, OperationObject, PathItem } from '../openapi/document.ts';
import { describeViolation } from './violations.ts';

type OpenApiSpec = Extract<Parameters<typeof OpenApiValidator.middleware>[0]['apiSpec'], object>;

/**
 * A validator for one path of the document. One instance over a whole document compiles every route's pattern
 * again on each request; an instance per path item does not (bench/http-validation measures both).
 * @param document with all references resolved
 */
export function pathValidator(
  document: OpenApiDocument,
  path: string,
  item: PathItem,
  { validateResponses, allErrors }: { validateResponses: boolean; allErrors: boolean },
): RequestHandler[] {
  return OpenApiValidator.middleware({
    apiSpec: {
      openapi: document.openapi,
      info: document.info,
      paths: { [path]: item },
    } as unknown as OpenApiSpec,
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
}

/** Turns the validator's refusal into Sluice's: own codes, own sentences, a JSON pointer for each issue. */
export function validationProblem(error: unknown, operation: OperationObject): Problem | undefined {
  if (!(error instanceof OpenApiValidator.error.BadRequest)) return undefined;
  const issues = error.errors.map((violation): FieldIssue => {
    const keyword = violation.errorCode?.replace(/\.openapi\.validation$/, '') ?? 'invalid';
    const path = violation.path.replace(/^\/params\//, '/path/');
    return { path, ...describeViolation(keyword, path, operation, violation.message) };
  });
  // a typo is what a caller most wants to hear of
  const typo = (['unknown_field', 'unknown_parameter'] as const).find((code) =>
    issues.some((issue) => issue.code === code),
  );
  return problem(typo ?? 'invalid_request', { fieldIssues: issues });
}

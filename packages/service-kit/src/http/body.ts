import express, { type Request, type RequestHandler } from 'express';
import type { FieldIssue } from '@sluice/contracts';
import { problem, Problem } from '../problem.ts';

const megabyte = 1024 * 1024;

/** Reads a JSON body of up to 1 MiB. Bodies of another type and broken JSON are refused with their own codes. */
export const readBody: RequestHandler = (request, response, next) => {
  if (!hasBody(request)) return next();
  if (!request.is('application/json')) throw problem('unsupported_media_type');
  parseJson(request, response, (error: unknown) => {
    if (error) return next(bodyProblem(error));
    const issue = unstorable(request.body, '/body');
    if (issue) return next(problem('invalid_request', { fieldIssues: [issue] }));
    next();
  });
};

const parseJson = express.json({ limit: megabyte, strict: false });

function hasBody(request: Request): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  );
}

function bodyProblem(error: unknown): unknown {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined;
  switch (type) {
    case 'entity.too.large':
      return new Problem('payload_too_large');
    case 'entity.parse.failed':
      return new Problem('malformed_json');
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new Problem('unsupported_media_type', { detail: 'The body has to be JSON in UTF-8.' });
    default:
      return new Problem('malformed_request');
  }
}

/** PostgreSQL stores neither the NUL character nor halves of surrogate pairs; no field of the API needs them. */
export function unstorable(value: unknown, path: string): FieldIssue | undefined {
  if (typeof value === 'string') {
    if (value.isWellFormed() && !value.includes('\0')) return undefined;
    return { path, code: 'invalid_character', message: 'has a NUL character or half of a surrogate pair' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const place = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const issue = unstorable(key, path) ?? unstorable(item, place);
    if (issue) return issue;
  }
  return undefined;
}

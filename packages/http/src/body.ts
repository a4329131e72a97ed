import { MIMEType } from 'node:util';
import type { Request, Response } from 'express';
import type { FieldIssue } from '@sluice/contracts';
import readStream, { type RawBodyError } from 'raw-body';
import { sizeInWords } from './openapi/body-size.ts';
import { problem, type Problem } from '@sluice/service';
import { countValues, mostLevels, mostValues } from './json-shape.ts';

export interface BodyLimits {
  /** whether a body of any kind is accepted and not looked at */
  ignored: boolean;
  /** whether the operation needs one */
  required: boolean;
  bytes: number;
  /** the time that it may take to arrive */
  seconds: number;
}

/** What later steps know of the body. */
export interface BodyLocals {
  bodyValues?: number;
}

/**
 * Reads a JSON body. What is of another type, broken, too large, too complex or too slow is refused with a code of its
 * own, before it can cost anybody else anything. A body that is ignored may only be too large or too slow. An operation that needs no body sees undefined for an empty one.
 */
export function bodyReader(limits: BodyLimits) {
  return async (request: Request, response: Response): Promise<void> => {
    if (limits.ignored && hasBody(request)) await readBytes(request, response, limits);
    const text = !limits.ignored && hasBody(request) ? await receive(request, response, limits) : '';
    if (text === '' && limits.required) throw problem('body_required');
    request.body = text === '' ? undefined : parse(text);
    // the validator knows one spelling, and remembers each that it has ever seen
    if (text !== '') request.headers['content-type'] = 'application/json';
    else if (request.headers['content-type'] !== undefined) delete request.headers['content-type'];
  };
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const tooComplex = `The body has more than ${mostLevels} levels or ${mostValues} values.`;

async function receive(request: Request, response: Response, limits: BodyLimits): Promise<string> {
  requireJson(request);
  const bytes = await readBytes(request, response, limits);
  const values = countValues(bytes);
  if (values === undefined) throw problem('body_too_complex', { detail: tooComplex });
  (response.locals as BodyLocals).bodyValues = values;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim();
  } catch {
    throw problem('malformed_json');
  }
}

/** @throws Problem `unsupported_media_type` for anything but JSON in UTF-8, as it is */
function requireJson({ headers }: Request): void {
  const type = mediaType(headers['content-type'] ?? '');
  if (type?.essence !== 'application/json') throw problem('unsupported_media_type');
  const charset = type.params.get('charset') ?? 'utf-8';
  const encoding = headers['content-encoding'] ?? 'identity';
  if (!/^utf-?8$/i.test(charset) || !/^identity$/i.test(encoding))
    throw problem('unsupported_media_type', { detail: 'The body has to be JSON in UTF-8, not compressed.' });
}

/** Reads what a form of a page sends; of fields with the same name the first counts. */
export async function readForm(
  request: Request,
  response: Response,
  limits: Pick<BodyLimits, 'bytes' | 'seconds'>,
): Promise<Map<string, string>> {
  if (!hasBody(request)) return new Map();
  if (mediaType(request.headers['content-type'] ?? '')?.essence !== 'application/x-www-form-urlencoded')
    throw problem('unsupported_media_type', { detail: 'The body has to be a form.' });
  const text = new TextDecoder().decode(await readBytes(request, response, limits));
  return new Map([...new URLSearchParams(text)].toReversed());
}

function mediaType(header: string): MIMEType | undefined {
  try {
    return new MIMEType(header);
  } catch {
    return undefined;
  }
}

/** Reads a body as it is. @throws Problem for one that is too large or too slow */
export function readBytes(
  request: Request,
  response: Response,
  { bytes, seconds }: Pick<BodyLimits, 'bytes' | 'seconds'>,
): Promise<Uint8Array> {
  const arrived = Promise.withResolvers<Uint8Array>();
  const deadline = setTimeout(() => {
    // what still comes is not waited for
    response.set('connection', 'close');
    arrived.reject(problem('request_timeout'));
  }, seconds * 1000);
  const length = request.headers['content-length'] ?? null;
  readStream(request, { length, limit: bytes }, (error, body) => {
    clearTimeout(deadline);
    if (error) arrived.reject(bodyProblem(error, bytes));
    else arrived.resolve(body);
  });
  return arrived.promise;
}

function bodyProblem({ type }: RawBodyError, bytes: number): Problem {
  if (type !== 'entity.too.large') return problem('malformed_request');
  return problem('payload_too_large', { detail: `The body is larger than ${sizeInWords(bytes)}.` });
}

function parse(text: string): unknown {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw problem('malformed_json');
  }
  const issue = unstorable(body, '/body');
  if (issue) throw problem('invalid_request', { fieldIssues: [issue] });
  return body;
}

/**
 * What no field of the API may be or be named. PostgreSQL stores neither the NUL character nor halves of surrogate pairs;
 * a field `__proto__` would become, wherever the object is copied, not a field but its prototype.
 */
export function unstorable(value: unknown, path: string): FieldIssue | undefined {
  if (typeof value === 'string') {
    if (value.isWellFormed() && !value.includes('\0')) return undefined;
    return { path, code: 'invalid_character', message: 'has a NUL character or half of a surrogate pair' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const place = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (key === '__proto__') return { path: place, code: 'not_accepted', message: 'is no name of a field' };
    const issue = unstorable(key, path) ?? unstorable(item, place);
    if (issue) return issue;
  }
  return undefined;
}

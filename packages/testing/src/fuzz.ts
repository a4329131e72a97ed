import fc from 'fast-check';
import type { Answer } from './client.ts';
import { rarely, Values, type Schema } from './fuzz-values.ts';

/**
 * Requests of all kinds for the operations of an OpenAPI document, made from the document itself: mostly of the right shape, with
 * something wrong here and there; and some that are wrong from the ground up.
 */

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  schema: Schema;
}

interface Operation {
  operationId: string;
  'x-permission'?: unknown;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, unknown>;
}

/** As much of a served OpenAPI document as requests are made from. */
export interface FuzzedDocument {
  paths: Record<string, Record<string, Operation> & { parameters?: Parameter[] }>;
}

export interface FuzzedRequest {
  method: string;
  /** with the query */
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
}

export interface FuzzedOperation {
  operationId: string;
  method: string;
  /** who may call it, where one word says so */
  permission: unknown;
  requests: fc.Arbitrary<FuzzedRequest>;
}

/** Ids and names of what exists, by the parameter that takes them. */
export type Existing = Record<string, string>;

const methods = ['get', 'put', 'post', 'delete', 'patch'];

/** How many requests each operation gets: `FUZZ_RUNS`, for those who want to look deeper. */
export const fuzzRuns = (usual: number) => Number(process.env['FUZZ_RUNS'] ?? usual);
/**
 * The same each time, so that a change is judged by the requests that the one before it stood; `FUZZ_SEED` names
 * another, and a deeper look takes a new one.
 */
export function fuzzSeed(): number {
  const { FUZZ_SEED, FUZZ_RUNS } = process.env;
  return Number(FUZZ_SEED ?? (FUZZ_RUNS === undefined ? 20_261_121 : Date.now() % 2 ** 31));
}

/** Every operation of a document with its requests. None deletes what exists: those that follow need it. */
export function fuzzedOperations(document: FuzzedDocument, existing: Existing): FuzzedOperation[] {
  const values = new Values(document, existing);
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method): FuzzedOperation[] => {
      const operation = item[method];
      if (!operation) return [];
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(values.resolve);
      const body = operation.requestBody?.content['application/json'];
      const requests = fc.record({
        method: fc.constant(method.toUpperCase()),
        path: fc
          .tuple(pathOf(path, method === 'delete', existing), queryOf(parameters, values))
          .map(([place, query]) => place + query),
        headers,
        body: body ? bodyOf(values.like(body.schema, body.example)) : rarely(strangeBody, 10),
      });
      const { operationId, 'x-permission': permission } = operation;
      return [{ operationId, method, permission, requests }];
    }),
  );
}

const strangeIds = [
  ...[
    '0',
    '-1',
    '+1',
    '01',
    '1.5',
    '1e3',
    '0x1',
    'x',
    '%',
    '%00',
    '%2e%2e',
    '%E0%A4%A',
    '%F0%9F%98%80',
    '__proto__',
  ],
  ...['9007199254740991', '9007199254740993', '9223372036854775807', '9223372036854775808', '9'.repeat(400)],
];

/** A path with ids that exist, for the most part. */
function pathOf(path: string, deletes: boolean, existing: Existing): fc.Arbitrary<string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const values = names.map((name, position) => {
    const strange = fc.constantFrom('9007199254740990', ...strangeIds);
    const known = deletes && position === names.length - 1 ? undefined : existing[name];
    if (known === undefined) return strange;
    return fc.oneof({ weight: 8, arbitrary: fc.constant(known) }, { weight: 1, arbitrary: strange });
  });
  return fc.tuple(...values).map((chosen) => path.replaceAll(/\{\w+\}/g, () => chosen.shift() ?? ''));
}

function queryOf(parameters: Parameter[], values: Values): fc.Arbitrary<string> {
  const strange = fc.constantFrom('', ...strangeIds, 'a&b=c', '[]', '2026-01-01', '%0a');
  const given = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => {
      const text = values.of(schema).map((value) => encodeURIComponent(textOf(value)));
      const value = fc.oneof({ weight: 8, arbitrary: text }, { weight: 1, arbitrary: strange });
      return rarely(
        value.map((it) => `${name}=${it}`),
        4,
      );
    });
  const more = fc.constantFrom('no_such=1', '__proto__=1', 'page=1&page=2', 'a[b]=c', '=');
  return fc.tuple(...given, rarely(more, 20)).map((all) => {
    const parts = all.filter((part) => part !== undefined);
    return parts.length > 0 ? `?${parts.join('&')}` : '';
  });
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.toWellFormed();
  return Array.isArray(value) ? value.map(textOf).join(',') : (JSON.stringify(value) ?? '');
}

/** what HTTP lets stand in a header */
const headerText = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
});
const headers = fc
  .record({
    'content-type': fc.oneof(
      { weight: 20, arbitrary: fc.constant('application/json') },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          'text/plain',
          'application/json; charset=utf-16',
          'APPLICATION/JSON',
          'multipart/form-data',
          '/',
        ),
      },
    ),
    'content-encoding': rarely(fc.constantFrom('gzip', 'identity', 'br', 'x'), 30),
    'idempotency-key': rarely(fc.oneof(headerText, fc.constant('k'.repeat(300)), fc.constant('again'))),
    traceparent: rarely(headerText),
    cookie: rarely(fc.oneof(headerText, fc.constant('sluice_session=x; =; a')), 12),
    'x-forwarded-for': rarely(fc.constantFrom('::1', 'x', '1.2.3.4, 5.6.7.8'), 12),
  })
  .map(
    (all) =>
      Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
        string,
        string
      >,
  );

const deepBody = fc
  .tuple(fc.nat({ max: 7_500 }), fc.boolean())
  .map(([levels, closed]) => '['.repeat(levels) + (closed ? ']'.repeat(levels) : ''));
const strangeBody: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  deepBody,
  fc.uint8Array({ maxLength: 200 }),
  fc.constantFrom(
    '',
    ' ',
    '{',
    'null',
    '[]',
    '"',
    '1e999',
    '{"a":1e999}',
    '\ufeff{}',
    '{"__proto__":{"a":1}}',
  ),
  fc
    .nat({ max: 12_000 })
    .map((count) => `{${Array.from({ length: count }, (_, i) => `"f${i}":0`).join(',')}}`),
);

function bodyOf(value: fc.Arbitrary<unknown>): fc.Arbitrary<string | Uint8Array | undefined> {
  const text = value.map((body) => JSON.stringify(body));
  return fc.oneof(
    { weight: 16, arbitrary: text },
    { weight: 1, arbitrary: fc.tuple(text, fc.nat({ max: 40 })).map(([whole, end]) => whole.slice(0, end)) },
    { weight: 2, arbitrary: strangeBody },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

/** What is wrong with an answer to any request: nothing is, if it is no failure and has the form of all answers. */
export function faultsOf({ status, headers, body }: Answer): string[] {
  const faults: string[] = [];
  if (status >= 500 && status !== 503) faults.push(`is ${status}: ${JSON.stringify(body)}`);
  if (!/^[0-9a-f]{32}$/.test(headers.get('svc-request') ?? '')) faults.push('has no request id');
  if (status < 400) return faults;
  if (!headers.get('content-type')?.startsWith('application/problem+json'))
    faults.push('is no problem document');
  if (body['status'] !== status || typeof body['code'] !== 'string') faults.push('is no problem');
  if (body['instance'] !== headers.get('svc-request')) faults.push('has another id inside');
  if (JSON.stringify(body).length > 20_000) faults.push('is very long');
  return faults;
}

import fc from 'fast-check';
import type { Answer } from './client.ts';

/**
 * Requests of all kinds for the operations of an OpenAPI document, made from the document itself: mostly of the right shape, with
 * something wrong here and there; and some that are wrong from the ground up.
 */

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
}

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
/** Undefined but for one in some. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>, oneIn = 6): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

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

const strangeTexts = [
  ...[
    '',
    ' ',
    '\0',
    '\ud800',
    'a\u202eb',
    '😀'.repeat(50),
    'x'.repeat(2_000),
    '__proto__',
    'constructor',
    'toString',
  ],
  ...[
    "'; DROP TABLE tenants; --",
    '${7*7}',
    '<script>',
    '../../etc/passwd',
    'a@b',
    'a@b.c\r\nBcc: x@y.z',
    '***',
  ],
  ...[
    '0.0.0.0/0',
    '::/0',
    '1.2.3.4/33',
    'javascript:alert(1)',
    '9999-12-31T23:59:59.999Z',
    '-000001-01-01T00:00:00Z',
  ],
];

/** What fits no schema, or only by chance. */
const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, [], {}, -1, 0.5, 1e300, -1e300, 2 ** 31, 2 ** 53, 2 ** 63, 1e21),
  fc.constantFrom(...strangeTexts),
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.jsonValue({ maxDepth: 4 }),
  fc.dictionary(
    fc.constantFrom('__proto__', 'constructor', 'prototype', 'a'),
    fc.jsonValue({ maxDepth: 2 }),
    { maxKeys: 3 },
  ),
  fc.nat({ max: 40 }).map((levels) => JSON.parse('['.repeat(levels + 1) + ']'.repeat(levels + 1)) as unknown),
);

/** Values by schema. */
class Values {
  readonly #document: FuzzedDocument;
  readonly #existing: unknown[];
  readonly #made = new Map<Schema, fc.Arbitrary<unknown>>();

  constructor(document: FuzzedDocument, existing: Existing) {
    this.#document = document;
    this.#existing = Object.values(existing);
  }

  readonly resolve = <T extends { $ref?: string }>(value: T): T => {
    if (value.$ref === undefined) return value;
    const tokens = value.$ref.slice(2).split('/');
    const target = tokens.reduce<unknown>(
      (node, token) => (node as Record<string, unknown>)[token],
      this.#document,
    );
    return this.resolve(target as T);
  };

  /** Values of the schema, each part of which may be something else. */
  of(reference: Schema): fc.Arbitrary<unknown> {
    const schema = this.resolve(reference);
    const made = this.#made.get(schema);
    if (made) return made;
    const arbitrary = fc.oneof(
      { weight: 25, arbitrary: this.#fitting(schema) },
      { weight: 1, arbitrary: anything },
    );
    this.#made.set(schema, arbitrary);
    return arbitrary;
  }

  /** Values of the schema of which most parts are those of an example, so that they get far. */
  like(reference: Schema, example: unknown): fc.Arbitrary<unknown> {
    const schema = this.resolve(reference);
    const { properties, required = [] } = schema;
    if (!properties || typeof example !== 'object' || example === null) return this.of(schema);
    const fields = Object.entries(properties).map(([name, property]): [string, fc.Arbitrary<unknown>] => {
      const given = (example as Record<string, unknown>)[name];
      const value = this.of(property);
      // an example's times are past
      const timeless = this.resolve(property).format !== 'date-time';
      if (given === undefined) return [name, required.includes(name) ? value : rarely(value, 4)];
      if (!timeless) return [name, value];
      return [name, fc.oneof({ weight: 4, arbitrary: fc.constant(given) }, { weight: 1, arbitrary: value })];
    });
    const similar = fc.record(Object.fromEntries(fields));
    return fc.oneof({ weight: 2, arbitrary: similar }, { weight: 1, arbitrary: this.of(schema) });
  }

  #fitting(schema: Schema): fc.Arbitrary<unknown> {
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if (schema.oneOf) return fc.oneof(...schema.oneOf.map((one) => this.of(one)));
    const types = [schema.type ?? 'object'].flat();
    return fc.oneof(...types.map((type) => this.#ofType(type, schema)));
  }

  #ofType(type: string, schema: Schema): fc.Arbitrary<unknown> {
    const { minimum = -1000, maximum = 2 ** 53, minItems = 0, maxItems = 5 } = schema;
    const numbers = this.#existing
      .map(Number)
      .filter((id) => Number.isSafeInteger(id) && id >= minimum && id <= maximum);
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return fc.oneof(
          fc.maxSafeInteger().map((number) => Math.min(Math.max(number, minimum), maximum)),
          fc.constantFrom(minimum, Math.min(maximum, minimum + 1), maximum, ...numbers),
        );
      case 'number':
        return fc.double({ min: minimum, max: maximum, noNaN: true });
      case 'array':
        return fc.array(this.of(schema.items ?? {}), {
          minLength: minItems,
          maxLength: Math.min(maxItems, minItems + 4),
        });
      case 'string':
        return this.#text(schema);
      default:
        return this.#object(schema);
    }
  }

  #text({ format, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> {
    const any = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 30) });
    const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}[a-z0-9]$/);
    const known = fc.constantFrom(...this.#existing.map(String), '10.0.0.0/8', '192.0.2.1', ...strangeTexts);
    switch (format) {
      case 'email':
        return fc.oneof(
          word.map((name) => `${name}@fuzz.example`),
          fc.emailAddress(),
          any,
        );
      case 'date-time':
        return fc.oneof(
          fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
          fc.nat({ max: 3 * 10 ** 7 }).map((seconds) => new Date(Date.now() + seconds * 1000).toISOString()),
        );
      case 'uuid':
        return fc.uuid();
      default:
        return fc.oneof(
          { weight: 3, arbitrary: word },
          { weight: 1, arbitrary: any },
          { weight: 1, arbitrary: known },
        );
    }
  }

  #object({ properties = {}, required = [], additionalProperties }: Schema): fc.Arbitrary<unknown> {
    const fields = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => {
        const value = this.of(property);
        // undefined goes out as nothing
        return [name, required.includes(name) ? value : rarely(value, 2)];
      }),
    ) as Record<string, fc.Arbitrary<unknown>>;
    const known = fc.record(fields);
    if (typeof additionalProperties !== 'object') return known;
    const keys = fc.oneof(
      fc.constantFrom(...this.#existing.map(String), '0', '1', '__proto__'),
      fc.string({ maxLength: 8 }),
    );
    const more = fc.dictionary(keys, this.of(additionalProperties), { maxKeys: 4 });
    return fc.tuple(known, more).map(([some, others]) => ({ ...some, ...others }));
  }
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

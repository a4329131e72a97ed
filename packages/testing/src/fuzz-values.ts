import fc from 'fast-check';

export interface Schema {
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

/** Undefined but for one in some. */
export const rarely = <T>(arbitrary: fc.Arbitrary<T>, oneIn = 6): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

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

/** Values by the schemas of an OpenAPI document. */
export class Values {
  readonly #document: object;
  readonly #existing: unknown[];
  readonly #made = new Map<Schema, fc.Arbitrary<unknown>>();

  /** @param existing ids and names of what exists */
  constructor(document: object, existing: Readonly<Record<string, string>>) {
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

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cloudNames, deploymentStatuses, plans, protocols, tiers } from '@sluice/contracts';
import { loadApiDocument, operationsOf, resolveReferences, type OpenApiDocument } from '@sluice/http';
import { repository } from './settings.ts';

const documents: [string, OpenApiDocument][] = await Promise.all(
  ['services/main-api', 'services/supervisor', 'services/audit', 'packages/contracts'].map(
    async (folder): Promise<[string, OpenApiDocument]> => [
      folder,
      await loadApiDocument(pathToFileURL(join(repository, folder, 'openapi/'))),
    ],
  ),
);
const [[, mainApi] = []] = documents;

/** ids that the service looks at itself: an agent that has one wrong is heard all the same */
const leftOut: Record<string, string[]> = {
  'packages/contracts': [
    'postHeartbeat/connectors/instances/*/id: integer',
    'postTelemetry/samples/*/connector_instance_id: integer',
    'postTelemetry/lines/*/connector_instance_id: integer',
  ],
};

/**
 * What is or may be secret in requests, and where that is sent. What is stored, and kept where `***` comes back, is declared with its
 * destination as `SecretFields` beside the rules of its settings; connectors and brokers have that in their schemas.
 */
const secrets: Record<string, Record<string, string>> = {
  'services/main-api': {
    'createChannel/settings/webhook/headers': 'destination',
    'updateChannel/settings/webhook/headers': 'destination',
    'createDivisionChannel/settings/webhook/headers': 'destination',
    'updateDivisionChannel/settings/webhook/headers': 'destination',
    'showUnsubscribe token': 'to this service, and not stored',
    'unsubscribe token': 'to this service, and not stored',
  },
  'services/supervisor': {
    'createSnapshot/redact_secrets': 'no secret',
    'getSnapshotArchive token': 'to this service, and not stored',
  },
  'services/audit': {
    'putAuditSink/https/headers': 'url, tls_ca',
    'putAuditSink/https/signing_secret': 'nowhere: kept as the headers are',
    'putAuditSink/s3/secret_access_key':
      'nowhere: signs for endpoint, region, bucket, path_style, access_key_id, tls_ca',
  },
  'packages/contracts': { 'enrolAgent/token': 'to this service, and not stored' },
};

describe.each(documents)('the document of %s', (folder, document) => {
  const operations = operationsOf(document);

  test('tells a summary of its own, a description and one known tag of each operation', () => {
    const summaries = operations.map(({ operation }) => operation['summary']);
    expect(new Set(summaries).size).toBe(operations.length);
    const tags = document.tags?.map(({ name }) => name);
    for (const { operation } of operations) {
      expect([operation.operationId, operation['description']]).toEqual([
        operation.operationId,
        expect.any(String),
      ]);
      expect([operation.operationId, operation.tags]).toEqual([operation.operationId, [expect.any(String)]]);
      expect(tags).toEqual(expect.arrayContaining(operation.tags ?? []));
    }
  });

  test('groups each tag once, when it has groups', () => {
    const grouped = document['x-tagGroups']?.flatMap(({ tags }) => tags);
    if (grouped) expect(document.tags?.map(({ name }) => name)).toEqual(grouped);
  });

  test('has an example for each body', () => {
    for (const { operation } of operations) {
      const body = operation.requestBody as { content: Record<string, { example?: unknown }> } | undefined;
      if (body)
        expect([operation.operationId, body.content['application/json']?.example]).toEqual([
          operation.operationId,
          expect.anything(),
        ]);
    }
  });

  test('names the schema of every body and describes all parameters and schemas', () => {
    const media = /"application\/json":\{"schema":\{(?!"\$ref"|"type":"array","items":\{"\$ref")/;
    expect(JSON.stringify(document.paths)).not.toMatch(media);
    for (const kind of ['parameters', 'schemas', 'headers', 'securitySchemes'])
      for (const [name, component] of Object.entries(document.components?.[kind] ?? {}))
        expect([kind, name, component]).toEqual([
          kind,
          name,
          expect.objectContaining({ description: expect.any(String) as string }),
        ]);
    for (const { operation } of operations)
      for (const parameter of operation.parameters ?? [])
        expect(Object.keys(parameter as object)).toEqual(
          expect.arrayContaining(['$ref' in (parameter as object) ? '$ref' : 'description']),
        );
  });

  test('bounds every value that a request can bring', () => {
    const found = requestSchemas(document).flatMap(([place, schema]) => unbounded(schema, place));
    expect(found).toEqual(leftOut[folder] ?? []);
  });

  // agents tell what they have found, by names of their own making
  if (folder !== 'packages/contracts')
    test('lets no name have a line break, another control character or a space at its end', () => {
      const names = requestSchemas(document)
        .flatMap(([place, schema]) => within(schema, place))
        .filter(([place]) => /\/(\w+_)?name$/.test(place))
        .filter(
          ([, { type, description }]) => [type].flat().includes('string') && description !== 'passed over',
        );
      const loose = names.filter(
        ([, { pattern, enum: values }]) =>
          !values &&
          ['a\nb', 'a\u2028b', 'a\u0007b', 'a ', '\ta'].some((text) =>
            new RegExp((pattern as string | undefined) ?? '', 'u').test(text),
          ),
      );
      expect(loose.map(([place]) => place)).toEqual([]);
    });

  test('takes no secret without a declared destination', () => {
    const places = requestSchemas(document)
      .flatMap(([place, schema]) => within(schema, place))
      .map(([place]) => place)
      .filter((place) => /secret|password|passphrase|credential|token|private_key|headers$/.test(place));
    expect([...new Set(places)]).toEqual(Object.keys(secrets[folder] ?? {}));
  });

  test('has nothing beside a reference, which generators would drop, and no null among values', () => {
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      if ('$ref' in value) expect(Object.keys(value)).toEqual(['$ref']);
      if ('enum' in value) expect(value.enum).not.toContain(null);
      Object.values(value).forEach(visit);
    };
    visit({ paths: document.paths, components: document.components });
  });
});

/**
 * The schemas of the bodies and parameters of all operations, by where they stand, with all references resolved. The kit bounds numbers of
 * 64 bits in parameters, and none in bodies.
 */
function requestSchemas(document: OpenApiDocument): [string, Schema][] {
  const resolved = resolveReferences(document.paths, document) as OpenApiDocument['paths'];
  return operationsOf({ paths: resolved }).flatMap(({ path, operation }) => {
    const parameters = [
      ...(resolved[path]?.parameters ?? []),
      ...(operation.parameters ?? []),
    ] as Parameter[];
    const body = operation.requestBody as { content: Record<string, { schema: Schema }> } | undefined;
    const { operationId } = operation;
    return [
      ...parameters.map(({ name, schema }): [string, Schema] => [
        `${operationId} ${name}`,
        schema.format === 'int64' ? { ...schema, maximum: 2 ** 63 } : schema,
      ]),
      ...Object.values(body?.content ?? {}).map(({ schema }): [string, Schema] => [operationId, schema]),
    ];
  });
}

interface Parameter {
  name: string;
  schema: Schema;
}

interface Schema {
  type?: string | string[];
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  oneOf?: Schema[];
  [keyword: string]: unknown;
}

/** formats that bound a text by themselves, or are bounded by packages/http */
const boundedFormats = ['date-time', 'uuid'];

/** Where a schema lets through a text, a number, a list or an object of any size. */
function unbounded(schema: Schema, place: string): string[] {
  const { properties = {}, items, additionalProperties, oneOf = [] } = schema;
  const says = (...keywords: string[]) => keywords.some((keyword) => schema[keyword] !== undefined);
  const lower = says('minimum', 'exclusiveMinimum');
  const upper = says('maximum', 'exclusiveMaximum');
  const isBounded: Record<string, boolean> = {
    string: says('maxLength') || boundedFormats.includes(schema.format ?? ''),
    integer: lower && upper,
    number: lower && upper,
    array: says('maxItems') && items !== undefined,
    object: additionalProperties === false || says('maxProperties'),
    boolean: true,
    null: true,
  };
  const isClosed = says('enum', 'const', 'oneOf');
  const types = schema.type === undefined ? ['any'] : [schema.type].flat();
  const here = isClosed ? [] : types.filter((type) => !isBounded[type]).map((type) => `${place}: ${type}`);
  const below = [
    ...Object.entries(properties).map(([name, property]) => unbounded(property, `${place}/${name}`)),
    ...[items, additionalProperties].map((inner) =>
      typeof inner === 'object' ? unbounded(inner, `${place}/*`) : [],
    ),
    ...oneOf.map((one) => unbounded(one, place)),
  ];
  return [...here, ...below.flat()];
}

/** A schema and all that stand in it, by where they stand. */
function within(schema: Schema, place: string): [string, Schema][] {
  const { properties = {}, items, additionalProperties, oneOf = [] } = schema;
  return [
    [place, schema],
    ...Object.entries(properties).flatMap(([name, inner]) => within(inner, `${place}/${name}`)),
    ...[items, additionalProperties].flatMap((inner) =>
      typeof inner === 'object' ? within(inner, `${place}/*`) : [],
    ),
    ...oneOf.flatMap((one) => within(one, place)),
  ];
}

test('what is not bounded is found, wherever it stands', () => {
  const bounded: Schema = { type: 'array', maxItems: 1, items: { type: ['string', 'null'], maxLength: 1 } };
  expect(unbounded(bounded, 'it')).toEqual([]);
  const further: Schema = {
    type: 'object',
    properties: {
      text: { type: ['string', 'null'] },
      list: { ...bounded, items: { type: 'integer', minimum: 1 } },
      any: {},
      one: { oneOf: [bounded, { type: 'number', minimum: 0, maximum: 1 }, { type: 'array' }] },
    },
    additionalProperties: { type: 'string' },
  };
  expect(unbounded(further, 'it')).toEqual([
    'it: object',
    'it/text: string',
    'it/list/*: integer',
    'it/any: any',
    'it/one: array',
    'it/*: string',
  ]);
});

test('schemas and parameters of one name mean the same in all documents', () => {
  for (const kind of ['schemas', 'parameters', 'headers']) {
    const seen = new Map<string, unknown>();
    for (const [, document] of documents)
      for (const [name, component] of Object.entries(document.components?.[kind] ?? {})) {
        if (seen.has(name)) expect([name, component]).toEqual([name, seen.get(name)]);
        seen.set(name, component);
      }
  }
});

test('the closed sets are those of the contracts', () => {
  const valuesOf = (name: string) => (mainApi!.components!['schemas']![name] as { enum: string[] }).enum;
  expect(valuesOf('Cloud')).toEqual(cloudNames());
  expect(valuesOf('Tier')).toEqual(tiers);
  expect(valuesOf('Plan')).toEqual(plans);
  expect(valuesOf('DeploymentStatus')).toEqual(deploymentStatuses);
  const supervisor = documents[3]?.[1].components?.['schemas']?.['Protocol'] as { enum: string[] };
  expect(supervisor.enum).toEqual(protocols);
});

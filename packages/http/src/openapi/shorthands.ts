import { operationsOf, type OpenApiDocument } from './document.ts';
import { followed } from './references.ts';

interface Schema {
  $ref?: string;
  properties?: Record<string, unknown>;
  items?: Schema;
  examples?: unknown[];
  [keyword: string]: unknown;
}

interface MediaType {
  schema?: Schema;
  example?: unknown;
  examples?: unknown;
}

/**
 * Writes out what the files of a document abbreviate:
 * - `x-all-required: true` in a schema: all of its properties are required
 * - `x-page-of: Division` as a schema: a page of a list of these
 * - a body whose schema has an example: the media type has it too
 */
export function expandShorthands(document: OpenApiDocument): void {
  requireAll(document);
  const schemas = (document.components?.['schemas'] ?? {}) as Record<string, Schema>;
  for (const [name, schema] of Object.entries(schemas)) {
    const item = schema['x-page-of'];
    if (typeof item === 'string') schemas[name] = pageOf(item, schema, schemas[item]);
  }
  for (const { operation } of operationsOf(document)) {
    const contents = [operation.requestBody, ...Object.values(operation.responses)] as Content[];
    for (const { content = {} } of contents.map((body) => body ?? {})) addExamples(content, document);
  }
}

type Content = { content?: Record<string, MediaType> } | undefined;

function requireAll(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if ('x-all-required' in value) {
    const schema = value as Schema;
    schema['required'] = Object.keys(schema.properties ?? {});
    delete schema['x-all-required'];
  }
  for (const item of Object.values(value)) requireAll(item);
}

function pageOf(name: string, { 'x-page-of': _item, ...rest }: Schema, item?: Schema): Schema {
  const [example] = item?.examples ?? [];
  const total = { type: 'integer', minimum: 0 };
  return {
    description: 'One page of a list, newest first unless the operation says otherwise.',
    type: 'object',
    additionalProperties: false,
    required: ['items', 'page', 'total_results', 'total_pages'],
    properties: {
      items: { type: 'array', items: { $ref: `#/components/schemas/${name}` } },
      page: { type: 'integer', description: 'the page that this is, counted from 1' },
      total_results: { ...total, description: 'entries on all pages' },
      total_pages: { ...total, description: '0 when there is no entry' },
    },
    ...(example !== undefined && {
      examples: [{ items: [example], page: 1, total_results: 1, total_pages: 1 }],
    }),
    ...rest,
  };
}

function addExamples(content: Record<string, MediaType>, document: OpenApiDocument): void {
  for (const mediaType of Object.values(content)) {
    if (!mediaType.schema || mediaType.example !== undefined || mediaType.examples !== undefined) continue;
    const example = exampleOf(mediaType.schema, document);
    if (example !== undefined) mediaType.example = example;
  }
}

function exampleOf(schema: Schema, document: OpenApiDocument): unknown {
  const { examples, items } = followed<Schema>(schema, document);
  if (examples) return examples[0];
  const entry = items && exampleOf(items, document);
  return entry === undefined ? undefined : [entry];
}

import { readFile, readdir } from 'node:fs/promises';
import { parse } from 'yaml';

/** As much of OpenAPI 3.1 as the kit reads. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description?: string };
  paths: Record<string, PathItem>;
  components?: Record<string, Record<string, unknown>>;
  [member: string]: unknown;
}

export const httpMethods = ['get', 'put', 'post', 'delete', 'patch'] as const;
export type HttpMethod = (typeof httpMethods)[number];
export type PathItem = Partial<Record<HttpMethod, OperationObject>> & { parameters?: unknown[] };

export interface OperationObject {
  operationId: string;
  'x-permission'?: unknown;
  requestBody?: unknown;
  parameters?: unknown[];
  responses: Record<string, unknown>;
  [member: string]: unknown;
}

const common = new URL('../../openapi/common.yaml', import.meta.url);

/**
 * Reads a service's OpenAPI document: `openapi.yaml` and one file per feature beside it, with the components that
 * all services share. Each file adds paths and components; references are written as in one single document.
 * @throws Error when two files define the same thing, or a reference leads nowhere
 */
export async function loadApiDocument(folder: URL): Promise<OpenApiDocument> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort();
  const files = [common, ...names.map((name) => new URL(name, folder))];
  const parts = await Promise.all(
    files.map(async (file) => parse(await readFile(file, 'utf8')) as OpenApiDocument),
  );
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: {},
    components: {},
  };
  for (const { paths = {}, components = {}, ...rest } of parts) {
    Object.assign(document, rest);
    merge(document.paths, paths, 'path');
    for (const [kind, entries] of Object.entries(components)) {
      merge(((document.components ??= {})[kind] ??= {}), entries, kind);
    }
  }
  resolveReferences(document, document);
  return document;
}

function merge<T>(into: Record<string, T>, from: Record<string, T>, kind: string): void {
  for (const [name, value] of Object.entries(from)) {
    if (name in into) throw new Error(`The OpenAPI files define ${kind} '${name}' twice`);
    into[name] = value;
  }
}

/** `value` with every `$ref` replaced by what it refers to in `document`. */
export function resolveReferences(
  value: unknown,
  document: OpenApiDocument,
  trail: readonly string[] = [],
): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, document, trail));
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value && typeof value.$ref === 'string') {
    const reference = value.$ref;
    if (trail.includes(reference))
      throw new Error(`The OpenAPI document refers to '${reference}' in a circle`);
    return resolveReferences(lookUp(reference, document), document, [...trail, reference]);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, resolveReferences(item, document, trail)]),
  );
}

function lookUp(reference: string, document: OpenApiDocument): unknown {
  let target: unknown = document;
  for (const token of reference.replace(/^#\//, '').split('/')) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    target =
      typeof target === 'object' && target !== null ? (target as Record<string, unknown>)[key] : undefined;
  }
  if (target === undefined) throw new Error(`The OpenAPI document has no '${reference}'`);
  return target;
}

export interface DeclaredOperation {
  path: string;
  method: HttpMethod;
  operation: OperationObject;
}

/** Every operation of a document. */
export function operationsOf(document: OpenApiDocument): DeclaredOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    httpMethods.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation }] : [];
    }),
  );
}

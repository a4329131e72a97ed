import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  declarationOf,
  loadApiDocument,
  operationsOf,
  resolveReferences,
  type DeclaredOperation,
  type OpenApiDocument,
} from '@sluice/http';
import { repository } from '../settings.ts';

/**
 * Writes what `sluice api` knows of all operations. `infra/bootstrap.mjs` runs it with the digest of all documents, the file to write, and
 * the folders of the documents, the Main API's first.
 */

const [digest = '', target = '', ...folders] = process.argv.slice(2);

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: { enum?: unknown[] };
}

interface BodySchema {
  required?: string[];
  properties?: Record<string, { description?: string; enum?: unknown[] }>;
  examples?: unknown[];
}

const taken = new Set<string>();
const operations: unknown[] = [];
let release = '';
for (const folder of folders) {
  const layer = basename(dirname(folder));
  const document = await loadApiDocument(pathToFileURL(`${folder}/`));
  release ||= document.info.version;
  for (const declared of operationsOf(document)) {
    if (declarationOf(declared).kind !== 'agent') operations.push(describe(declared, layer, document));
  }
}

const source = `// ${digest}
import type { Operation } from '../operations.ts';

/** the release of the documents that this program was made from */
export const release = ${JSON.stringify(release)};

export const operations = ${JSON.stringify(operations, null, 1)} satisfies Operation[];
`;
await mkdir(dirname(target), { recursive: true });
const unfinished = join(repository, '.cache', `operations-${process.pid}.ts`);
await writeFile(unfinished, source);
await rename(unfinished, target);

function describe(declared: DeclaredOperation, layer: string, document: OpenApiDocument) {
  const { path, method, operation } = declared;
  const item = document.paths[path];
  const parameters = [...(item?.parameters ?? []), ...(operation.parameters ?? [])].map(
    (parameter) => resolveReferences(parameter, document) as Parameter,
  );
  const body = operation.requestBody
    ? (resolveReferences(operation.requestBody, document) as RequestBody)
    : undefined;
  const schema = body?.content['application/json']?.schema;
  const names = parameters.map(({ name }) => name);
  return {
    id: idOf(operation.operationId, layer),
    layer,
    method: method.toUpperCase(),
    path,
    summary: text(operation['summary']),
    description: text(operation['description']),
    permission: permissionOf(declared),
    paged: names.includes('page') && names.includes('results'),
    parameters: parameters.map(
      ({ name, in: place, required = false, description = '', schema: { enum: values } }) => ({
        name,
        in: place,
        required,
        description: description.trim(),
        ...(values && { values: values.map(String) }),
      }),
    ),
    ...(body && {
      body: {
        required: body.required ?? false,
        fields: fieldsOf(schema ?? {}),
        example: schema?.examples?.[0],
      },
    }),
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

interface RequestBody {
  required?: boolean;
  content: Record<string, { schema?: BodySchema }>;
}

function fieldsOf({ properties = {}, required = [] }: BodySchema) {
  return Object.entries(properties).map(([name, { description = '', enum: values }]) => ({
    name,
    required: required.includes(name),
    description: description.trim(),
    ...(values && { values: values.map(String) }),
  }));
}

/** As the client names it: where two layers have the same id, the later one's gets its layer's name. */
function idOf(operationId: string, layer: string): string {
  const suffix = layer.replaceAll(/(?:^|-)(\w)/g, (_match, letter: string) => letter.toUpperCase());
  const id = taken.has(operationId) ? `${operationId}At${suffix}` : operationId;
  taken.add(id);
  return id;
}

/** In words: `deployment:manage (environment)`. */
function permissionOf(declared: DeclaredOperation): string | undefined {
  const declaration = declarationOf(declared);
  if (declaration.kind === 'owner') return 'owner of the tenant';
  if (declaration.kind !== 'permission') return undefined;
  const held = [declaration, declaration.or].filter((one) => one !== undefined);
  return held.map(({ scope, permission }) => `${permission} (${scope})`).join(' or ');
}

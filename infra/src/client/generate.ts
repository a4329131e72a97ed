import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { loadApiDocument, operationsOf, type OpenApiDocument } from '@sluice/http';

/**
 * Writes the generated part of packages/client: types, a function per operation, and what sends a request. `infra/bootstrap.mjs` runs it
 * with the digest of all documents, the folder to write, and the folders of the documents, the Main API's first.
 */

// by itself: the build of images runs this with what it imports alone
const repository = join(import.meta.dirname, '../../..');
const [digest = '', target = '', ...folders] = process.argv.slice(2);

const components = new Map<string, string>();
const operationIds = new Set<string>();
const document: OpenApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Sluice', version: '1' },
  paths: {},
  components: {},
};
for (const folder of folders) add(await loadApiDocument(pathToFileURL(`${folder}/`)), layerOf(folder));

await mkdir(dirname(target), { recursive: true });
// an editor or another command never reads half of the folder
const unfinished = await mkdtemp(join(repository, '.cache', 'client-'));
await createClient({
  input: { ...document },
  output: { path: unfinished, module: { extension: '.ts' } },
  logs: { level: 'silent', file: false },
  plugins: [
    { name: '@hey-api/client-fetch', throwOnError: true },
    { name: '@hey-api/sdk', auth: false, client: false },
  ],
});
await writeFile(join(unfinished, 'digest.ts'), `// ${digest}\n`);
await rm(target, { recursive: true, force: true });
await rename(unfinished, target);

/** `services/main-api/openapi` is the document of the layer `main-api`. */
function layerOf(folder: string): string {
  return basename(dirname(folder));
}

/**
 * Adds the document of a layer. The first segment of a path names the layer, which is how the client finds its address. Where two layers
 * have an operation or a component of the same name, that of the later layer gets the layer's name as suffix.
 */
function add(layerDocument: OpenApiDocument, layer: string): void {
  const suffix = layer.replaceAll(/(?:^|-)(\w)/g, (_match, letter: string) => letter.toUpperCase());
  for (const { operation } of operationsOf(layerDocument)) {
    if (operationIds.has(operation.operationId)) operation.operationId += `At${suffix}`;
    operationIds.add(operation.operationId);
  }
  const renamed = new Map<string, string>();
  for (const [kind, entries] of Object.entries(layerDocument.components ?? {})) {
    for (const [name, component] of Object.entries(entries)) {
      const pointer = `#/components/${kind}/${name}`;
      const text = JSON.stringify(component);
      if ((components.get(pointer) ?? text) !== text) renamed.set(pointer, `${pointer}At${suffix}`);
      else components.set(pointer, text);
    }
  }
  const { paths, components: own = {} } = forClients(layerDocument, renamed) as OpenApiDocument;
  for (const [path, item] of Object.entries(paths)) document.paths[`/${layer}${path}`] = item;
  for (const [kind, entries] of Object.entries(own)) {
    const all = ((document.components ??= {})[kind] ??= {});
    for (const [name, component] of Object.entries(entries))
      all[renamed.get(`#/components/${kind}/${name}`)?.split('/').at(-1) ?? name] = component;
  }
}

/** With references to what is renamed. Ids are numbers below 2^53, not the BigInt that the generator makes of `int64`. */
function forClients(value: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => forClients(item, renamed));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key, item]) => key !== 'format' || item !== 'int64');
  return Object.fromEntries(
    entries.map(([key, item]) => [
      key,
      key === '$ref' ? (renamed.get(item as string) ?? item) : forClients(item, renamed),
    ]),
  );
}

import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadApiDocument } from '@sluice/http';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

/**
 * Writes the TypeScript types of OpenAPI documents. `infra/bootstrap.mjs` runs it with the digest of all documents, which becomes
 * the first line of each file, and with pairs of a document's folder and the file of its types.
 */

const [digest, ...paths] = process.argv.slice(2);
for (let at = 0; at + 1 < paths.length; at += 2) {
  const [folder = '', file = ''] = paths.slice(at, at + 2);
  try {
    await writeTypes(folder, file);
  } catch (error) {
    console.error(`${relative('', folder)}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

async function writeTypes(folder: string, file: string): Promise<void> {
  const text = `// ${digest}\n// Made from the OpenAPI document by infra/bootstrap.mjs: change that, not this.\n\n${await typesOf(folder)}`;
  await mkdir(dirname(file), { recursive: true });
  // an editor or another command never reads half of a file
  const unfinished = join(dirname(file), `.${basename(file)}.${process.pid}`);
  await writeFile(unfinished, text);
  await rename(unfinished, file);
}

async function typesOf(folder: string): Promise<string> {
  const brands = new Set<string>();
  const document = await loadApiDocument(pathToFileURL(`${folder}/`));
  const types = await openapiTS(JSON.stringify(document), {
    transform: (schema) => brandedType(schema, brands),
  });
  const contracts = folder.endsWith(join('contracts', 'openapi')) ? '../ids.ts' : '@sluice/contracts';
  return `import type { ${[...brands].sort().join(', ')} } from '${contracts}';\n\n${astToString(types)}`;
}

/** A schema with `x-brand: DivisionId` has that type of the contracts, so that ids of two kinds are not mixed up. */
function brandedType(schema: object, brands: Set<string>): ts.TypeNode | undefined {
  if (!('x-brand' in schema) || typeof schema['x-brand'] !== 'string') return undefined;
  brands.add(schema['x-brand']);
  const branded = ts.factory.createTypeReferenceNode(schema['x-brand']);
  const nullable = 'type' in schema && Array.isArray(schema.type) && schema.type.includes('null');
  if (!nullable) return branded;
  return ts.factory.createUnionTypeNode([branded, ts.factory.createLiteralTypeNode(ts.factory.createNull())]);
}

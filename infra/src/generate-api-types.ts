import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadApiDocument } from '@sluice/http';
import openapiTS, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';
import type { GeneratedFile } from './generated-file.ts';
import { repository } from './settings.ts';

interface Api {
  /** of the OpenAPI document, which is spread over several files */
  folder: string;
  typesFile: string;
}

const contractsFolder = join(repository, 'packages/contracts/');

const agentApi: Api = {
  folder: join(contractsFolder, 'openapi/'),
  typesFile: join(contractsFolder, 'src/generated/agent-api.ts'),
};

async function serviceApis(): Promise<Api[]> {
  const services = await readdir(join(repository, 'services'));
  return services
    .sort()
    .map((service) => join(repository, 'services', service))
    .map((service) => ({
      folder: join(service, 'openapi/'),
      typesFile: join(service, 'src/generated/api.ts'),
    }))
    .filter(({ folder }) => existsSync(folder));
}

async function typesOf({ folder, typesFile }: Api): Promise<string> {
  const document = await loadApiDocument(pathToFileURL(folder));
  const brands = new Set<string>();
  const types = astToString(
    await openapiTS(JSON.stringify(document), { transform: (schema) => brandedType(schema, brands) }),
  );
  const header = '// Generated from the OpenAPI document by `npm run generate`: change that, not this.\n\n';
  const contracts = typesFile.startsWith(contractsFolder) ? '../ids.ts' : '@sluice/contracts';
  const imports = `import type { ${[...brands].sort().join(', ')} } from '${contracts}';\n\n`;
  return await format(header + imports + types, {
    ...(await resolveConfig(typesFile)),
    parser: 'typescript',
  });
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

/** The TypeScript types of all OpenAPI documents. */
export async function apiTypes(): Promise<GeneratedFile[]> {
  const apis = [agentApi, ...(await serviceApis())];
  return await Promise.all(apis.map(async (api) => ({ file: api.typesFile, text: await typesOf(api) })));
}

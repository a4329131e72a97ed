import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { loadApiDocument } from '@sluice/http';
import { repository } from './settings.ts';

/**
 * Checks every OpenAPI document, as it is served, against the rules that Redocly recommends, warnings included. Ends
 * with exit code 1 when one of them is broken.
 */

/** Every folder that has a document: of the services, and of what they share. */
async function documentFolders(): Promise<string[]> {
  const services = await readdir(join(repository, 'services'));
  const candidates = [
    ...services.map((name) => `services/${name}`),
    'packages/contracts',
    'packages/runtime/test',
  ];
  const found = await Promise.all(
    candidates.map(async (folder) => {
      const names = await readdir(join(repository, folder, 'openapi')).catch(() => []);
      return names.length > 0 ? [join(repository, folder, 'openapi/')] : [];
    }),
  );
  return found.flat().sort();
}

const config = await createConfig({ extends: ['recommended'] });
let problems = 0;
for (const folder of await documentFolders()) {
  const document = await loadApiDocument(pathToFileURL(folder));
  const found = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: 'openapi.json',
    config,
  });
  for (const { severity, ruleId, message, location } of found)
    console.log(
      `${relative(repository, folder)}: ${severity} ${ruleId}: ${message} (${location[0]?.pointer ?? '#'})`,
    );
  problems += found.length;
}
if (problems > 0) process.exitCode = 1;

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testFolder } from '@sluice/testing';
import type { mainApi } from './main-api.ts';
import { catalogueFile } from './settings.ts';

/** Has the catalogue offer clusters. A hook of the fixture would be too late: replicas read the catalogue at their start. */
export function offerClusters(on: ReturnType<typeof mainApi>): void {
  on.beforeStart(async () => {
    const file = join(await testFolder(), 'catalogue.yaml');
    const text = await readFile(catalogueFile, 'utf8');
    const switched = text.replace(/(- key: cluster\n(?: {4}.*\n)*? {4}available: )false/, '$1true');
    expect(switched).not.toBe(text);
    await writeFile(file, switched);
    on.environment['CATALOGUE_FILE'] = file;
  });
}

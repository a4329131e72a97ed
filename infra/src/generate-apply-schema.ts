import { join } from 'node:path';
import { jsonSchema } from '@sluice/cli/apply-schema';
import type { GeneratedFile } from './generated-file.ts';
import { repository } from './settings.ts';

/** The schema of the documents of `sluice apply`, for editors. */
export const applySchema = (): GeneratedFile => ({
  file: join(repository, 'docs/cli/apply.schema.json'),
  text: `${JSON.stringify(jsonSchema(), null, 2)}\n`,
});

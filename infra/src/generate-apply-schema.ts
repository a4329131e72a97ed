import { join } from 'node:path';
import { jsonSchema } from '@sluice/apply/schema';
import { format, resolveConfig } from 'prettier';
import type { GeneratedFile } from './generated-file.ts';
import { repository } from './settings.ts';

/** The schema of the documents of `sluice apply`, for editors. */
export async function applySchema(): Promise<GeneratedFile> {
  const file = join(repository, 'docs/cli/apply.schema.json');
  const text = JSON.stringify(jsonSchema());
  return { file, text: await format(text, { ...(await resolveConfig(file)), filepath: file }) };
}

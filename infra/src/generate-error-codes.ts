import { join } from 'node:path';
import { problems } from '@sluice/contracts';
import { markdownFile, table } from './markdown.ts';
import type { GeneratedFile } from './generated-file.ts';
import { repository } from './settings.ts';

/** `docs/errors.md`: every error code, by status. */
export async function errorCodes(): Promise<GeneratedFile> {
  const rows = Object.entries(problems)
    .map(([code, { status, title, detail }]) => ({ status, code, title, detail }))
    .sort((a, b) => a.status - b.status)
    .map(({ status, code, title, detail }) => [String(status), `\`${code}\``, title, detail]);
  return await markdownFile(join(repository, 'docs/errors.md'), [
    '# Error codes',
    'The [API guide](api.md#errors) says what an error looks like and how to handle it; which operation gives which code, ' +
      "its OpenAPI document. The detail of an answer may say more than the one here. A new code is an entry in the contracts' " +
      '[table of problems](../packages/contracts/src/problems.ts).',
    table(['status', 'code', 'title', 'detail'], rows),
  ]);
}

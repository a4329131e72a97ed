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
    'The [API guide](api.md#errors) shows how to handle errors; the OpenAPI documents list the codes of each operation. The detail of an answer may be more ' +
      'specific. A new code is an entry in [problems.ts](../packages/contracts/src/problems.ts).',
    table(['status', 'code', 'title', 'detail'], rows),
  ]);
}

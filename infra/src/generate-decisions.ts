import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GeneratedFile } from './generated-file.ts';
import { markdownFile } from './markdown.ts';
import { repository } from './settings.ts';

const folder = join(repository, 'docs/decisions');

/** The head of a decision: its number and title, its status and the date on which it was written. */
const head = /^# (?<number>\d{3}) (?<title>.+)\n\nStatus: (?<status>.+), (?<date>\d{4}-\d\d-\d\d)\n/;

/** `docs/decisions/README.md`: the index of the decisions. */
export async function decisionIndex(): Promise<GeneratedFile> {
  const lines: string[] = [];
  for (const file of (await readdir(folder)).filter((name) => /^\d/.test(name)).sort()) {
    const found = head.exec(await readFile(join(folder, file), 'utf8'))?.groups;
    if (!found?.['number'] || !file.startsWith(`${found['number']}-`))
      throw new Error(
        `docs/decisions/${file} does not begin with "# NNN Title" and "Status: accepted, YYYY-MM-DD"`,
      );
    const { number, title = '', status = '', date = '' } = found;
    // a list: each line of a table changes with its widest
    lines.push(`- [${number}](${file}) ${title}: ${status}, ${date}`);
  }
  return await markdownFile(join(folder, 'README.md'), [
    '# Decisions',
    'Each decision states its context, the decision and its price in at most ten lines. Its status is accepted, superseded by another, or withdrawn; a ' +
      'superseded decision is cut to what is still of use. How to write one: [CONTRIBUTING](../../CONTRIBUTING.md#decisions).',
    lines.join('\n'),
  ]);
}

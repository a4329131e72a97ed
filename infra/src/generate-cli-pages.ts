import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nounPages, type NounPage } from '@sluice/cli/pages';
import type { GeneratedFile } from './generated-file.ts';
import { markdownFile } from './markdown.ts';
import { repository } from './settings.ts';

const folder = join(repository, 'docs/cli');

/** `docs/cli`: a page for each noun of the command line, made of its help and of examples that a test runs, and the list of them. */
export async function cliPages(): Promise<GeneratedFile[]> {
  const { pages, options } = await nounPages();
  return Promise.all([index(pages, options), ...pages.map(page)]);
}

async function page({ name, sections }: NounPage): Promise<GeneratedFile> {
  const examples = await readFile(join(repository, `packages/cli/examples/${name}.txt`), 'utf8').catch(
    () => '',
  );
  return markdownFile(join(folder, `${name}.md`), [
    `# sluice ${name}`,
    ...sections,
    ...(examples === '' ? [] : ['## Examples', `\`\`\`\n${examples.trimEnd()}\n\`\`\``]),
  ]);
}

function index(pages: readonly NounPage[], options: readonly string[]): Promise<GeneratedFile> {
  const groups = [...new Set(pages.map(({ group }) => group))];
  return markdownFile(join(folder, 'README.md'), [
    '# Commands',
    'What holds for all of them is in [the command line](../cli.md): places, output, exit codes, and the options `--context`, `--tenant`, `-o`, `--query` and `--verbose`.',
    ...groups.flatMap((group) => [
      `## ${group}`,
      pages
        .filter((one) => one.group === group)
        .map(({ name, summary }) => `- [${name}](${name}.md): ${summary}`)
        .join('\n'),
    ]),
    '## Options of many commands',
    options.join('\n'),
  ]);
}

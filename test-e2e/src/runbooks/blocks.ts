import { glob, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { repository } from '@sluice/testing';

/** A fenced block of a runbook. */
export interface Block {
  /** `<document>: <heading>`, with a number from the second of them below a heading on, and the language of those that are not `sh` */
  name: string;
  /** the file's name without its ending */
  document: string;
  language: string;
  text: string;
}

const folder = join(repository, 'docs/operations');

/** Pages that are run elsewhere (infra/src/chart and infra/src/release have their tests), and a transcript. */
const others = ['helm.md', 'release.md', 'operators-day.md'];

/** The texts of the runbooks, by the name of the document. */
export async function readDocuments(): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for await (const file of glob('*.md', { cwd: folder, exclude: others }))
    texts.set(basename(file, '.md'), await readFile(join(folder, file), 'utf8'));
  return texts;
}

/** All fenced blocks of the runbooks, in the order of each document. */
export async function readBlocks(): Promise<Block[]> {
  return [...(await readDocuments())].flatMap(([document, text]) => blocksIn(document, text));
}

function blocksIn(document: string, text: string): Block[] {
  const parts = text.matchAll(
    /^#+ (?<heading>.+)$|^(?<indent> *)```(?<language>\w*)\n(?<body>[^]*?)^\k<indent>```$/gm,
  );
  let heading = '';
  const counts = new Map<string, number>();
  return [...parts].flatMap(({ groups = {} }): Block[] => {
    if (groups['heading'] !== undefined) {
      heading = groups['heading'];
      return [];
    }
    const language = groups['language'] ?? '';
    const place = `${document}: ${heading}${language === 'sh' ? '' : `, ${language || 'output'}`}`;
    const count = (counts.get(place) ?? 0) + 1;
    counts.set(place, count);
    const lines = (groups['body'] ?? '').split('\n').map((line) => line.slice(groups['indent']?.length));
    const name = count > 1 ? `${place} (${count})` : place;
    return [{ name, document, language, text: lines.join('\n') }];
  });
}

/** A document without its fenced blocks. */
export const proseOf = (text: string) => text.replaceAll(/^( *)```\w*\n[^]*?^\1```$/gm, '');

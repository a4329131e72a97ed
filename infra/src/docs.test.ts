import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repository } from './settings.ts';

/** What the docs refer to is there, and so is what the code refers to in the docs. */

const left = ['node_modules', '.git', '.sluice', '.cache', 'coverage', 'dist'];

/** The files of the repository with such an ending, apart from what is installed or made. */
async function files(...endings: string[]): Promise<string[]> {
  const patterns = endings.map((ending) => `**/*${ending}`);
  const found: string[] = [];
  for await (const file of glob(patterns, { cwd: repository, exclude: (name) => left.includes(name) }))
    found.push(file);
  return found;
}

const read = (file: string) => readFile(join(repository, file), 'utf8');

/** The heading as GitHub makes an anchor of it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const isOfInterface = (file: string) => file.startsWith(join('docs', 'interface'));
const headingsOf = (text: string) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);

test('every link of the docs leads somewhere', async () => {
  const broken: string[] = [];
  for (const file of await files('.md')) {
    for (const [, target = ''] of (await read(file)).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      const [path = '', anchor] = target.split('#');
      const linked = path === '' ? file : join(dirname(file), path);
      const reached =
        existsSync(join(repository, linked)) &&
        (anchor === undefined ||
          headingsOf(await read(linked))
            .map(anchorOf)
            .includes(anchor));
      if (!reached) broken.push(`${file}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
});

test('every section of the interface that the code names is there', async () => {
  const text = (await Promise.all((await files('.md')).filter(isOfInterface).map(read))).join('\n');
  const sections = new Set(headingsOf(text).map((heading) => /^\d+(\.\d+)?/.exec(heading)?.[0]));
  const unknown: string[] = [];
  for (const file of await files('.ts', '.yaml', '.sql')) {
    for (const [citation, numbers = ''] of (await read(file)).matchAll(/[Ii]nterface, ([^)\n]*)/g)) {
      for (const [section] of numbers.replaceAll(/rule \d+/g, '').matchAll(/\d+(\.\d+)?/g)) {
        // a single number may be a rule of section 1 or 5, such as 1.8
        const [chapter = ''] = section.split('.');
        const isKnown = sections.has(section) || (['1', '5'].includes(chapter) && sections.has(chapter));
        if (!isKnown) unknown.push(`${file}: ${citation}`);
      }
    }
  }
  expect(unknown).toEqual([]);
});

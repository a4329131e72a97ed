import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecipes, tryRecipes } from './recipes.ts';
import { repository } from './settings.ts';

/** Of each recipe of CONTRIBUTING.md that has a patch: its text. */
async function sections(): Promise<Map<string, string>> {
  const text = await readFile(join(repository, 'CONTRIBUTING.md'), 'utf8');
  const found = text.split(/^### /m).flatMap((section) => {
    const [, name] = /\(docs\/recipes\/(\w+)\.patch\)/.exec(section) ?? [];
    return name === undefined ? [] : [[name, section] as const];
  });
  return new Map(found);
}

const isChange = (line: string) => /^[+-]/.test(line);

test('each recipe names the files that its patch changes, and shows lines of it', async () => {
  const recipes = await readRecipes();
  const texts = await sections();
  expect([...texts.keys()].sort()).toEqual(recipes.map(({ name }) => name));
  for (const { name, files, text } of recipes) {
    const section = texts.get(name) ?? '';
    const named = [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, file]) => file);
    expect(named.sort()).toEqual(files);
    const [, shown = ''] = /```diff\n([\s\S]*?)```/.exec(section) ?? [];
    const lines = new Set(text.split('\n').filter(isChange));
    expect(shown.split('\n').filter((line) => isChange(line) && !lines.has(line))).toEqual([]);
  }
});

test('what the recipes make compiles, and the tests that they add pass', async () => {
  await tryRecipes(await readRecipes());
}, 900_000);

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { testFolder } from '@sluice/testing';
import { sizeProblems } from './source-size.ts';

/** What is too large in a repository whose files have so many lines. */
async function problemsOf(files: Record<string, number>): Promise<string[]> {
  const root = await testFolder();
  for (const [name, lines] of Object.entries(files)) {
    const file = join(root, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, 'export {};\n'.repeat(lines));
  }
  return sizeProblems(root);
}

test('a package or a service of more than 16,000 lines is refused, whatever its files are', async () => {
  const problems = await problemsOf({
    'packages/large/src/a.ts': 9_000,
    'packages/large/src/parts/b.tsx': 7_001,
    'services/full/src/a.ts': 16_000,
  });
  expect(problems).toEqual([expect.stringMatching(/^packages\/large has 16001 lines, more than 16000/)]);
});

test('tests, fixtures and what is generated do not count', async () => {
  const problems = await problemsOf({
    'packages/tested/src/a.ts': 15_999,
    'packages/tested/src/a.test.ts': 5_000,
    'packages/tested/test/given.ts': 5_000,
    'packages/tested/src/fixtures/big.ts': 5_000,
    'packages/tested/src/generated/api.ts': 50_000,
    'packages/tested/dist/index.mjs': 50_000,
  });
  expect(problems).toEqual([]);
});

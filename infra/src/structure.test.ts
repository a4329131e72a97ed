import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { testFolder } from '@sluice/testing';
import { structureProblems } from './structure.ts';

let root: string;
beforeEach(async () => {
  root = await testFolder();
  for (const folder of ['packages', 'services', 'infra', 'test-e2e', 'bench'])
    await mkdir(join(root, folder));
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

/** What is wrong in a repository with these files below `services/shop/src`, or where a path with `/src/` says. */
async function problemsOf(files: Record<string, string>): Promise<string> {
  for (const [name, text] of Object.entries(files)) {
    const file = join(root, name.includes('/src/') ? name : `services/shop/src/${name}`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    const [, workspace] = /^packages\/([^/]+)\/src\/index\.ts$/.exec(name) ?? [];
    if (workspace !== undefined) await addPackage(workspace);
  }
  return (await structureProblems(root)).join('\n');
}

async function addPackage(name: string): Promise<void> {
  const folder = join(root, 'packages', name);
  const manifest = { name: `@sluice/${name}`, exports: { '.': './src/index.ts' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await mkdir(join(root, 'node_modules/@sluice'), { recursive: true });
  await symlink(folder, join(root, 'node_modules/@sluice', name));
}

describe('circles', () => {
  test('folders that import one another in a round are refused, also when no two files do', async () => {
    const problems = await problemsOf({
      'features/orders/orders.ts': `import { a } from '../stock/stock.ts';`,
      'features/stock/stock.ts': `export const a = 1;`,
      'features/stock/reserve.ts': `import { b } from '../prices/deep/prices.ts';`,
      'features/prices/deep/prices.ts': `import { c } from '../../orders/totals.ts';`,
      'features/orders/totals.ts': `export const c = 1;`,
    });
    expect(problems).toContain('services/shop/src/features has a circle');
    expect(problems).toMatch(/orders\.ts\n +imports .*stock\.ts\n.*reserve\.ts\n +imports .*prices\.ts\n/);
  });

  test('of a file and a folder beside it are refused, and so are deep ones', async () => {
    const problems = await problemsOf({
      'core.ts': `import { x } from './features/orders/orders.ts';`,
      'features/orders/orders.ts': `import { other } from '../../other.ts';`,
      'other.ts': `import { core } from './core.ts';`,
      'features/orders/deep/a.ts': `import './b.ts';`,
      'features/orders/deep/b.ts': `import './a.ts';`,
    });
    expect(problems).toContain('services/shop/src has a circle');
    expect(problems).toContain('services/shop/src/features/orders/deep has a circle');
  });

  test.each([
    ['a type', `import type { B } from './b.ts';`],
    ['a re-export', `export { b } from './b.ts';`],
    ['an import for its effect', `import './b.ts';`],
    ['an import at run time', `const b = await import('./b.ts');`],
    ['a type in place', `type B = import('./b.ts').B;`],
  ])('%s counts as an import', async (_, line) => {
    const problems = await problemsOf({ 'a.ts': line, 'b.ts': `import { a } from './a.ts';` });
    expect(problems).toContain('error no-circle');
    expect(problems).toContain('services/shop/src has a circle');
  });

  test('tests, fixtures and generated files may close one', async () => {
    const problems = await problemsOf({
      'a.ts': `export const a = 1;`,
      'a.test.ts': `import { b } from './b.ts';`,
      'b.ts': `import { a } from './a.ts';`,
      'fixtures/f.ts': `import { b } from '../b.ts';`,
      'generated/g.ts': `import { b } from '../b.ts';`,
    });
    expect(problems).toBe('');
  });
});

const contracts = {
  'packages/contracts/src/index.ts': 'export const a = 1;',
  'packages/contracts/src/b.ts': '',
};
const importing = (from: string, to: string, more: Record<string, string> = {}) => ({
  ...more,
  [from]: `import '${to}';`,
});

test('imports that lead down are allowed', async () => {
  const feature = importing('features/orders/orders.service.ts', '../../stores/orders.store.ts', {
    'stores/orders.store.ts': `import { a } from '@sluice/contracts';`,
    'features/orders/orders.operations.ts': `import './orders.service.ts';`,
  });
  expect(await problemsOf({ ...contracts, ...feature })).toBe('');
});

test.each<[string, Record<string, string>]>([
  ['by-name', importing('a.ts', '../../../packages/contracts/src/b.ts', contracts)],
  ['known', importing('a.ts', '@sluice/contracts/src/b.ts', contracts)],
  ['known', importing('a.ts', './nothing.ts')],
  [
    'above-contracts',
    importing('packages/contracts/src/index.ts', '@sluice/admin', { 'packages/admin/src/index.ts': '' }),
  ],
  [
    'above-runtime',
    importing('packages/drivers/src/index.ts', '@sluice/driver-local', {
      'packages/driver-local/src/index.ts': '',
    }),
  ],
  [
    'package-to-program',
    importing('packages/system/src/index.ts', '../../../services/shop/src/a.ts', { 'a.ts': '' }),
  ],
  ['service-to-service', importing('services/post/src/a.ts', '../../shop/src/a.ts', { 'a.ts': '' })],
  ['only-for-tests', importing('a.ts', '@sluice/testing', { 'packages/testing/src/index.ts': '' })],
  [
    'store-to-rules',
    importing('features/orders/orders.store.ts', './orders.service.ts', {
      'features/orders/orders.service.ts': '',
    }),
  ],
  [
    'store-to-feature',
    importing('stores/orders.store.ts', '../features/orders/totals.ts', { 'features/orders/totals.ts': '' }),
  ],
  [
    'rules-to-operations',
    importing('features/orders/orders.service.ts', './orders.operations.ts', {
      'features/orders/orders.operations.ts': '',
    }),
  ],
  [
    'operations-to-store',
    importing('features/orders/orders.operations.ts', '../../stores/orders.store.ts', {
      'stores/orders.store.ts': '',
    }),
  ],
  [
    'operations-of-another',
    importing('features/orders/orders.service.ts', '../stock/stock.operations.ts', {
      'features/stock/stock.operations.ts': '',
    }),
  ],
])('%s is refused', async (rule, files) => {
  expect(await problemsOf(files)).toContain(`error ${rule}:`);
});

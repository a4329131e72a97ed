import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { testFolder } from '@sluice/testing';
import {
  circleIn,
  countArrows,
  countMutual,
  countNodes,
  folderGraphs,
  importsAmong,
  sourceFiles,
} from './structure.ts';

let repository: string;
beforeEach(async () => {
  repository = await testFolder();
  for (const root of ['packages', 'services', 'infra', 'test-e2e', 'bench'])
    await mkdir(join(repository, root));
});
afterEach(async () => {
  await rm(repository, { recursive: true, force: true });
});

/** The graphs of a repository with these files below `services/shop/src`, or where a path with `/src/` says. */
async function graphsOf(files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) {
    const file = join(repository, name.includes('/src/') ? name : `services/shop/src/${name}`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const graphs = folderGraphs(await importsAmong(repository, await sourceFiles(repository)));
  return new Map(graphs.map((graph) => [graph.folder, graph]));
}

test('folders that import one another in a round are a knot, also when no two files do', async () => {
  const graphs = await graphsOf({
    'features/orders/orders.ts': `import { a } from '../stock/stock.ts';`,
    'features/stock/stock.ts': `export const a = 1;`,
    'features/stock/reserve.ts': `import { b } from '../prices/prices.ts';`,
    'features/prices/prices.ts': `import { c } from '../orders/totals.ts';`,
    'features/orders/totals.ts': `export const c = 1;`,
  });
  const features = graphs.get('services/shop/src/features');
  expect(features?.knots).toEqual([['orders', 'prices', 'stock']]);
  expect(features && circleIn(features, features.knots[0] ?? []).map(({ to }) => to)).toEqual([
    'services/shop/src/features/stock/stock.ts',
    'services/shop/src/features/prices/prices.ts',
    'services/shop/src/features/orders/totals.ts',
  ]);
});

test.each([
  ['a type', `import type { B } from './b.ts';`],
  ['a re-export', `export { b } from './b.ts';`],
  ['an import for its effect', `import './b.ts';`],
  ['an import at run time', `const b = await import('./b.ts');`],
  ['a type in place', `type B = import('./b.ts').B;`],
])('%s counts as an import', async (_, line) => {
  const graphs = await graphsOf({ 'a.ts': line, 'b.ts': `import { a } from './a.ts';` });
  expect(graphs.get('services/shop/src')?.knots).toEqual([['a.ts', 'b.ts']]);
});

test('packages are seen through their names', async () => {
  const graphs = await graphsOf({
    'packages/one/src/index.ts': `import { two } from '@sluice/two';`,
    'packages/two/src/index.ts': `export const two = 2;`,
    'packages/two/src/more.ts': `import { one } from '@sluice/one';`,
  });
  expect(graphs.get('packages')?.knots).toEqual([['one', 'two']]);
});

test('a file and a folder of their parent can be a knot, and a deep one is seen at its own folder', async () => {
  const graphs = await graphsOf({
    'core.ts': `import { x } from './features/orders/orders.ts';`,
    'features/orders/orders.ts': `import { core } from '../../core.ts';`,
    'features/orders/deep/a.ts': `import './b.ts';`,
    'features/orders/deep/b.ts': `import './a.ts';`,
  });
  expect(graphs.get('services/shop/src')?.knots).toEqual([['core.ts', 'features']]);
  expect(graphs.get('services/shop/src/features/orders/deep')?.knots).toEqual([['a.ts', 'b.ts']]);
});

test('tests, fixtures and generated files do not count', async () => {
  const graphs = await graphsOf({
    'a.ts': `export const a = 1;`,
    'a.test.ts': `import { b } from './b.ts';`,
    'b.ts': `import { a } from './a.ts';`,
    'fixtures/f.ts': `import { b } from '../b.ts';`,
    'generated/g.ts': `import { b } from '../b.ts';`,
  });
  expect(graphs.get('services/shop/src')?.knots).toEqual([]);
});

test('numbers tell nodes, arrows and pairs that import each other', async () => {
  const graphs = await graphsOf({
    'a.ts': `import './b.ts'; import './c.ts';`,
    'b.ts': `import './a.ts'; import './c.ts';`,
    'c.ts': ``,
  });
  const graph = graphs.get('services/shop/src');
  expect(graph && [countNodes(graph), countArrows(graph), countMutual(graph)]).toEqual([3, 4, 1]);
});

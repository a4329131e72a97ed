import { join } from 'node:path';
import { cruise, format, type ICruiseResult, type IResolveOptions } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { repository } from './settings.ts';

/** One file imports another; paths are relative to the repository. */
interface Import {
  from: string;
  to: string;
}

/** In a folder, by its child, the children that it imports, each with an import that does. */
type Arrows = Map<string, Map<string, Import>>;

const sourceRoots = ['packages', 'services', 'infra', 'test-e2e', 'bench'];

/**
 * What the sources below a folder import and may not: what breaks a rule of `.dependency-cruiser.mjs`, and circles of folders.
 * @returns what a person reads, empty when all is well
 */
export async function structureProblems(root: string): Promise<string[]> {
  const options = await extractOptions(join(repository, '.dependency-cruiser.mjs'));
  const resolution = options.enhancedResolveOptions as Partial<IResolveOptions>;
  const { output } = await cruise(sourceRoots, { ...options, baseDir: root }, resolution);
  const result = output as ICruiseResult;
  const imports = importsOf(result);
  const violations = await format(result, { outputType: 'err-long' });
  return [
    ...(result.summary.violations.length > 0 ? [violations.output as string] : []),
    ...[...arrowsByFolder(imports)].flatMap(([folder, arrows]) => {
      const circle = shortestCircle(arrows);
      const steps = circle.map(({ from, to }) => `  ${from}\n    imports ${to}\n`);
      return circle.length > 0 ? [`${folder} has a circle:\n${steps.join('')}`] : [];
    }),
  ];
}

/** What the sources import of each other, without tests. */
function importsOf({ modules }: ICruiseResult): Import[] {
  const isSource = (file: string) => file.includes('/src/') && !file.endsWith('.test.ts');
  return modules
    .flatMap(({ source, dependencies }) =>
      dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
    )
    .filter(({ from, to }) => isSource(from) && isSource(to) && !to.includes('node_modules/'));
}

/**
 * dependency-cruiser knows circles of files, and of folders whose own files make them. Here the children of a folder, files and
 * folders with all that is in them, are what may not import each other in a round.
 */
function arrowsByFolder(imports: readonly Import[]): Map<string, Arrows> {
  const folders = new Map<string, Arrows>();
  for (const one of imports) {
    const from = one.from.split('/');
    const to = one.to.split('/');
    const depth = from.findIndex((part, index) => part !== to[index]);
    const [fromChild, toChild] = [from[depth], to[depth]];
    if (fromChild === undefined || toChild === undefined) continue;
    const folder = from.slice(0, depth).join('/') || '.';
    const arrows = folders.get(folder) ?? new Map<string, Map<string, Import>>();
    const targets = arrows.get(fromChild) ?? new Map<string, Import>();
    folders.set(folder, arrows.set(fromChild, targets.set(toChild, one)));
  }
  return folders;
}

/** The shortest of all circles, as the imports that lead around it; empty when there is none. */
function shortestCircle(arrows: Arrows): Import[] {
  const circles = [...arrows.keys()]
    .map((start) => circleFrom(start, arrows))
    .filter(({ length }) => length > 0);
  return circles.reduce((best, circle) => (circle.length < best.length ? circle : best), circles[0] ?? []);
}

/** Breadth first from `start` back to it. */
function circleFrom(start: string, arrows: Arrows): Import[] {
  const ways: { node: string; steps: Import[] }[] = [{ node: start, steps: [] }];
  const seen = new Set<string>();
  for (const { node, steps } of ways) {
    for (const [next, example] of arrows.get(node) ?? []) {
      if (next === start) return [...steps, example];
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push({ node: next, steps: [...steps, example] });
    }
  }
  return [];
}

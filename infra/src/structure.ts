import { readFile, readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';

/** The arrows between files and folders that imports draw, and the knots among them. */

/** One file imports another; paths are relative to the repository. */
export interface Import {
  from: string;
  to: string;
}

/** A folder's immediate children as nodes; there is an arrow from one to another when something in the first imports something in the second. */
export interface FolderGraph {
  folder: string;
  /** by `from → to`, with the imports that make the arrow */
  arrows: Map<string, Map<string, Import[]>>;
  /** children that reach each other, largest group first; empty when the folder has no circle */
  knots: string[][];
}

const sourceRoots = ['packages', 'services', 'infra', 'test-e2e', 'bench'];
const outside = /\.test\.ts$|(^|\/)(generated|fixtures|node_modules)\//;

/** The TypeScript sources below the `src` folders of the repository, without tests, their fixtures and generated files. */
export async function sourceFiles(repository: string): Promise<string[]> {
  const found = await Promise.all(
    sourceRoots.map(async (root) => {
      const entries = await readdir(join(repository, root), { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
        .map((entry) => relative(repository, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
    }),
  );
  return found
    .flat()
    .filter((file) => file.includes('/src/') && !outside.test(file))
    .sort();
}

/** What each file imports of the others: `import` and `export … from`, types included, by path or by package name. */
export async function importsAmong(repository: string, files: readonly string[]): Promise<Import[]> {
  const known = new Set(files);
  const found: Import[] = [];
  for (const from of files) {
    const { importedFiles } = ts.preProcessFile(await readFile(join(repository, from), 'utf8'));
    for (const { fileName } of importedFiles) {
      const to = fileName.startsWith('.')
        ? join(dirname(from), fileName).replaceAll(sep, '/')
        : fileName.replace(/^@sluice\//, 'packages/') + '/src/index.ts';
      if (known.has(to)) found.push({ from, to });
    }
  }
  return found;
}

/** The graph of every folder with at least two children that import one another. */
export function folderGraphs(imports: readonly Import[]): FolderGraph[] {
  const graphs = new Map<string, FolderGraph['arrows']>();
  for (const one of imports) {
    const from = one.from.split('/');
    const to = one.to.split('/');
    const depth = from.findIndex((part, index) => part !== to[index]);
    // a file that imports itself by its package's name
    if (depth === -1) continue;
    const folder = from.slice(0, depth).join('/') || '.';
    const arrows = entry(graphs, folder, () => new Map<string, Map<string, Import[]>>());
    const targets = entry(arrows, from[depth] ?? '', () => new Map<string, Import[]>());
    entry(targets, to[depth] ?? '', () => []).push(one);
  }
  return [...graphs]
    .map(([folder, arrows]) => ({ folder, arrows, knots: knotsOf(arrows) }))
    .sort((a, b) => a.folder.localeCompare(b.folder));
}

/** A shortest circle through a knot, as the imports that lead around it. */
export function circleIn({ arrows }: FolderGraph, knot: readonly string[]): Import[] {
  const circles = knot.map((start) => shortestCircle(arrows, start));
  return circles.reduce((best, circle) => (circle.length < best.length ? circle : best));
}

export const countArrows = ({ arrows }: FolderGraph) =>
  [...arrows.values()].reduce((sum, targets) => sum + targets.size, 0);

export const countNodes = ({ arrows }: FolderGraph) =>
  new Set([...arrows].flatMap(([from, targets]) => [from, ...targets.keys()])).size;

/** Pairs of children that import each other, each counted once. */
export const countMutual = ({ arrows }: FolderGraph) =>
  [...arrows].flatMap(([from, targets]) => [...targets.keys()].filter((to) => arrows.get(to)?.has(from)))
    .length / 2;

/** Strongly connected components of more than one node, by the nodes that each node reaches. */
function knotsOf(arrows: FolderGraph['arrows']): string[][] {
  const reached = new Map([...arrows.keys()].map((node) => [node, reachable(arrows, node)]));
  const knots: string[][] = [];
  for (const [node, nodes] of reached) {
    if (!nodes.has(node) || knots.some((knot) => knot.includes(node))) continue;
    knots.push([...nodes].filter((other) => reached.get(other)?.has(node)).sort());
  }
  return knots.sort((a, b) => b.length - a.length);
}

function reachable(arrows: FolderGraph['arrows'], start: string): Set<string> {
  const seen = new Set<string>();
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const next of arrows.get(node)?.keys() ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(next);
    }
  }
  return seen;
}

/** Breadth first from `start` back to it. */
function shortestCircle(arrows: FolderGraph['arrows'], start: string): Import[] {
  const ways: { node: string; steps: Import[] }[] = [{ node: start, steps: [] }];
  const seen = new Set<string>();
  for (const { node, steps } of ways) {
    for (const [next, [example]] of arrows.get(node) ?? []) {
      if (!example || seen.has(next)) continue;
      if (next === start) return [...steps, example];
      seen.add(next);
      ways.push({ node: next, steps: [...steps, example] });
    }
  }
  return [];
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}

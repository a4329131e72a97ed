import { existsSync } from 'node:fs';
import { lstat, readFile, readdir, readlink, realpath } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';

export interface ProgramFile {
  /** in the archive */
  name: string;
  /** here */
  path: string;
  size: number;
  executable: boolean;
}

/** A link between two of them, as it is in the folder of packages. */
export interface ProgramLink {
  name: string;
  target: string;
}

export interface ProgramTree {
  files: ProgramFile[];
  links: ProgramLink[];
}

const manifestSchema = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

/** what a package has for those who work on it, and no program reads */
const needless = /(\.test\.ts|\.d\.[cm]?ts|\.map|\.md)$|^(test|tests|docs|coverage|\.cache)$/;
const mostFiles = 50_000;

/**
 * The files of a package, and of all that it depends on to run, below `root`, where they keep their places: sources run as they are, and
 * find each other as here.
 * @throws Error where a package is not installed
 */
export async function treeOf(root: string, packageFolder: string): Promise<ProgramTree> {
  const tree: ProgramTree = { files: [], links: [] };
  const seen = new Set<string>();
  const linked = new Set<string>();
  const waiting = [packageFolder];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    await addFiles(tree, root, folder);
    for (const { path, isOptional } of await dependenciesOf(folder)) {
      const found = await installed(root, folder, path);
      if (found === undefined && isOptional) continue;
      if (found === undefined)
        throw new Error(`${path}, which ${relative(root, folder)} needs, is not there`);
      if (found.link !== undefined && !linked.has(found.link)) {
        linked.add(found.link);
        tree.links.push({ name: relative(root, found.link), target: await readlink(found.link) });
      }
      waiting.push(found.folder);
    }
  }
  const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
  tree.files.sort(byName);
  tree.links.sort(byName);
  return tree;
}

async function dependenciesOf(folder: string): Promise<{ path: string; isOptional: boolean }[]> {
  const text = await readFile(join(folder, 'package.json'), 'utf8');
  const { dependencies, optionalDependencies } = manifestSchema.parse(JSON.parse(text));
  const isOptional = (path: string) => path in optionalDependencies;
  return Object.keys({ ...dependencies, ...optionalDependencies }).map((path) => ({
    path,
    isOptional: isOptional(path),
  }));
}

/** Where Node.js finds a package that one in `folder` asks for. */
async function installed(
  root: string,
  folder: string,
  name: string,
): Promise<{ folder: string; link?: string } | undefined> {
  for (let above = folder; above.startsWith(root); above = dirname(above)) {
    const place = join(above, 'node_modules', name);
    const found = await lstat(place).catch(() => undefined);
    if (found?.isSymbolicLink()) return { folder: await realpath(place), link: place };
    if (found) return { folder: place };
  }
  return undefined;
}

async function addFiles(tree: ProgramTree, root: string, folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || needless.test(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await addFiles(tree, root, path);
    if (!entry.isFile()) continue;
    const { size, mode } = await lstat(path);
    tree.files.push({ name: relative(root, path), path, size, executable: (mode & 0o111) !== 0 });
    if (tree.files.length > mostFiles) throw new Error('the programs of a node are too many files');
  }
}

/** The files of the page of streams, as `STREAM_PAGE_FILES` of an agent names them; none where it has not been built. */
export async function pageFilesOf(folder: string): Promise<ProgramFile[]> {
  if (!existsSync(join(folder, 'index.html'))) return [];
  const tree: ProgramTree = { files: [], links: [] };
  await addFiles(tree, folder, folder);
  return tree.files
    .map((file) => ({ ...file, name: `stream-page/${file.name}` }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

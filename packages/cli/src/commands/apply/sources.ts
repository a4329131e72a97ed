import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Source } from '@sluice/apply';
import { usageError } from '@sluice/terminal/errors';
import type { Cli } from '../../cli.ts';
import { readText } from '../../files.ts';

/** longest list of files */
const mostFiles = 1_000;

/** The documents of `-f`: of files, directories with `.yaml` and `.yml` files, and `-` for stdin. @throws CliError 2 */
export async function readSources(cli: Cli, paths: readonly string[]): Promise<Source[]> {
  const files = (await Promise.all(paths.map(filesOf))).flat();
  if (files.length === 0) throw usageError('-f: there is no .yaml file.');
  if (files.length > mostFiles) throw usageError(`-f: these are more than ${mostFiles} files.`);
  const sources: Source[] = [];
  for (const file of new Set(files)) {
    const text = await readText(cli, file, '-f');
    sources.push({ name: file === '-' ? 'stdin' : file, text, folder: dirname(file) });
  }
  return sources;
}

async function filesOf(path: string): Promise<string[]> {
  if (path === '-') return [path];
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return [path];
  const names = await readdir(path);
  return names
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .map((name) => join(path, name));
}

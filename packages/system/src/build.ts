import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Names what a program is made of: a digest of the sources beside it and below, of those of this package and in `more` folders, and of
 * the version of Node.js. Two programs with the same name do the same.
 */
export async function buildOf(program: string, ...more: readonly string[]): Promise<string> {
  const folders = [dirname(program), import.meta.dirname, ...more];
  const digest = createHash('sha256').update(process.version);
  for (const sources of await Promise.all(folders.map(readSources)))
    for (const text of sources) digest.update(text).update('\0');
  return digest.digest('hex').slice(0, 12);
}

async function readSources(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const sources = names.filter((name) => /\.[cm]?[jt]s$/.test(name) && !name.includes('.test.')).sort();
  const texts = await Promise.all(sources.map((name) => readFile(join(folder, name), 'utf8')));
  return sources.flatMap((name, index) => [name, texts[index] ?? '']);
}

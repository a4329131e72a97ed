import { chmod, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { usageError } from '@sluice/terminal/errors';

/** Writes a file that only its owner can read, as a whole: others see the old or the new one, also after a crash. */
export async function writePrivately(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = join(dirname(path), `.${randomUUID()}.tmp`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** @returns undefined where there is none */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** A file that others could read is made private, as it holds a secret. */
export async function makePrivate(path: string): Promise<void> {
  // a folder of configuration can be read-only
  if (((await stat(path)).mode & 0o077) !== 0) await chmod(path, 0o600);
}

/** Names of contexts are names of files. */
export function checkName(name: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,62}$/i.test(name)) return name;
  throw usageError(
    `A context cannot have the name ${JSON.stringify(name)}.`,
    'use up to 63 letters, digits, dots, dashes and underscores, and begin with a letter or a digit',
  );
}

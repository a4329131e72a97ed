import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isErrorCode } from './errors.ts';

/**
 * Writes a file that only its owner may read. Whenever the machine stops, the file holds either what it held before or
 * all of `text`; once this resolves it holds `text`. Several writers at once, also of several processes, are safe:
 * the last one wins. Why this is no library's: docs/decisions/019.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.new`;
  try {
    await writeAndSync(unfinished, text);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

async function writeAndSync(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Without this a new name in a folder may be lost when the machine stops. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The text of a file, or null when there is none. */
export async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

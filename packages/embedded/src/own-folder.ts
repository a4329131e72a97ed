import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CannotStart } from './cannot-start.ts';

/** Creates a server's folder if need be and answers its absolute path. Throws `CannotStart`. */
export async function ownFolder(folder: string, server: string): Promise<string> {
  const path = resolve(folder);
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    return path;
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CannotStart(
      `${path} cannot be used as ${server}'s folder (${reason}): move it out of the way.`,
    );
  }
}

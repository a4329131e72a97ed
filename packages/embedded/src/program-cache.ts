import { access, constants, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Where a program that was fetched is kept: `.cache` in the repository, or in the user's home where the repository may not
 * be written to.
 */
export async function programCache(programName: string): Promise<string> {
  const inRepository = join(import.meta.dirname, '../../../.cache', programName);
  try {
    await mkdir(inRepository, { recursive: true });
    await access(inRepository, constants.W_OK);
    return inRepository;
  } catch {
    const inHome = join(homedir(), '.cache/sluice', programName);
    await mkdir(inHome, { recursive: true });
    return inHome;
  }
}

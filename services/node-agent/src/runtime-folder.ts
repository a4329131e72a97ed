import { lstat, mkdir, readlink, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';

/** The files that the broker's program reads, by name in the agent's folder. */
export const programFiles = { configuration: 'broker.conf', folder: 'broker-files' } as const;

/**
 * Makes the folder for what programs read as files, outside of the agent's own folder, in which links lead to it: a copy of that folder
 * has none of them, and processes are found by the same arguments as ever.
 * @throws Error when another user has made the folder
 */
export async function openRuntimeFolder(home: string, runtime: string): Promise<void> {
  await mkdir(runtime, { recursive: true, mode: 0o700 });
  const found = await lstat(runtime);
  // others may write where it is, as in /dev/shm
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0)
    throw new Error(`${runtime} has to be a folder that only the agent's user may enter`);
  for (const name of Object.values(programFiles)) await linkInto(join(home, name), join(runtime, name));
}

async function linkInto(link: string, target: string): Promise<void> {
  if ((await readlink(link).catch(() => null)) === target) return;
  await rm(link, { recursive: true, force: true });
  await symlink(target, link);
}

import { chown, mkdir } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { basename, join } from 'node:path';
import { isRoot, unprivilegedUser } from '@sluice/system';

/**
 * Lets agents keep what they compile in `folder`, too, where this is root: Node.js has a folder for each user there, and
 * theirs, who is not root any more, could not make it. It is theirs alone, so root runs nothing that lies in it. Without it
 * they start slower and nothing else, so it says nothing where that is not possible.
 */
export async function shareCompiledFolder(folder: string): Promise<void> {
  // ours is called after the version of Node.js and, at the end, our user
  const ours = getCompileCacheDir();
  if (!isRoot || ours === undefined) return;
  const theirs = join(folder, basename(ours).replace(/-\d+$/, `-${unprivilegedUser}`));
  try {
    await mkdir(theirs, { recursive: true, mode: 0o700 });
    await chown(theirs, unprivilegedUser, unprivilegedUser);
  } catch {
    // a repository that cannot be written to, say
  }
}

import { readFileSync, statfsSync } from 'node:fs';

/** where Linux has a file system in memory */
export const sharedMemory = '/dev/shm';

/** several times what a run keeps at once */
const wantedBytes = 8 * 1024 ** 3;

/**
 * `sharedMemory`, if programs may be run from it and there is room: PostgreSQL makes and deletes 300 files for
 * each database of a test, which takes a third of the time there that it takes on ext4.
 */
export function folderInMemory(): string | undefined {
  try {
    const mounted = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, path]) => path === sharedMemory);
    const [, , type, options = ''] = mounted ?? [];
    const { bavail, bsize } = statfsSync(sharedMemory);
    const bytes = Math.min(bavail * bsize, process.availableMemory());
    return type === 'tmpfs' && !options.split(',').includes('noexec') && bytes >= wantedBytes
      ? sharedMemory
      : undefined;
  } catch {
    return undefined;
  }
}

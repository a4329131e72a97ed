import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';

/** A disk of its own. */
export interface SmallDisk {
  folder: string;
  /** Until nothing more goes in. */
  fill(): void;
  free(): Promise<void>;
  /** The folder stays. */
  remove(): void;
}

/** Puts a disk of so many MiB at a folder that is there; undefined where this user may make none. */
export function smallDisk(folder: string, mebibytes: number): SmallDisk | undefined {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0755`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
  } catch {
    return undefined;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      const file = openSync(filler, 'a');
      try {
        for (;;) writeSync(file, Buffer.alloc(4_096));
      } catch {
        // nothing more goes in
      } finally {
        closeSync(file);
      }
    },
    free: () => truncate(filler, 0),
    remove: () => void execFileSync('umount', ['--lazy', folder]),
  };
}

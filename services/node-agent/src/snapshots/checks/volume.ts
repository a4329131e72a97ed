import { randomUUID } from 'node:crypto';
import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { isErrorCode } from '@sluice/system';
import { byShare, checksOf, critical, detail, ok, warning } from '../check.ts';
import { bytes, duration, percent } from '../figures.ts';
import { systemFile } from '../system-files.ts';

/** from so few bytes on a volume counts as full, however small it is */
const full = 256 * 1_024;

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export const volumeChecks = checksOf('Volume', {
  disk_space: {
    title: 'Disk space',
    meaning:
      'The broker stores messages here. On a full volume it refuses them, and neither it nor the agent may be able to start again.',
    action:
      'Delete messages or streams that are not needed, give streams limits of size or age, or upgrade to more storage. Leftovers below may be removed as well.',
    limits: { much: 0.85, most: 0.95 },
    async run({ home }) {
      const { blocks, bfree, bavail, bsize } = await statfs(home);
      const used = blocks - bfree;
      const share = used / Math.max(1, used + bavail);
      const details = [
        detail('size', bytes((used + bavail) * bsize)),
        detail('free', bytes(bavail * bsize)),
        detail('used', percent(share)),
      ];
      const free = `${bytes(bavail * bsize)} of ${bytes((used + bavail) * bsize)} are free`;
      if (bavail * bsize < full) return critical(`The volume is full: ${free}.`, undefined, details);
      return byShare(share, `${capital(free)}.`, details);
    },
  },
  disk_inodes: {
    title: 'Files that the volume can hold',
    meaning: 'A volume without free inodes takes no new files, although it has space.',
    action: 'Find out what has made so many files: many streams and consumers, or another program.',
    limits: { much: 0.85, most: 0.97 },
    async run({ home }) {
      const { files, ffree } = await statfs(home);
      if (files === 0) return ok('The file system has no such limit.');
      const finding = `${ffree} of ${files} files are free.`;
      return byShare(1 - ffree / files, finding);
    },
  },
  disk_mount: {
    title: 'Mount',
    meaning:
      'A file system that is mounted read-only, often after an error of the disk, takes no messages; one that is not meant to last loses them.',
    async run({ home }) {
      const mounts = (await systemFile('/proc/self/mounts')).split('\n').map((line) => line.split(' '));
      const [, place, type = '', options = ''] = mounts
        .filter(([, at]) => at !== undefined && (home === at || at === '/' || home.startsWith(`${at}/`)))
        .reduce<string[]>(
          (best, mount) => ((mount[1] ?? '').length >= (best[1] ?? '').length ? mount : best),
          [],
        );
      const details = [detail('type', type), detail('options', options.slice(0, 200))];
      if (options.split(',').includes('ro'))
        return critical(
          'The volume is mounted read-only.',
          'See what the kernel says of the disk, repair it, and mount the volume for writing.',
          details,
        );
      if (['tmpfs', 'ramfs', 'overlay'].includes(type))
        return warning(
          `The volume is of the type ${type}${place === '/' ? ', that of the machine or container itself' : ''}.`,
          'Put the folder of nodes on a volume of its own: what is stored here goes with the machine or container.',
          details,
        );
      return ok(`A file system of the type ${type} is mounted for writing.`, details);
    },
  },
  disk_write: {
    title: 'Writing to the volume',
    meaning: 'The broker acknowledges a message once it is written: a slow disk makes all publishers slow.',
    action:
      'Look at the pressure on input and output and at what else writes to this disk; faster storage may be needed.',
    limits: { much: 0.25, most: 2 },
    async run({ home }) {
      const path = join(home, `.snapshot-${randomUUID()}`);
      try {
        const file = await open(path, 'w', 0o600);
        const begun = performance.now();
        try {
          await file.write(Buffer.alloc(4_096, 1));
          await file.sync();
        } finally {
          await file.close();
        }
        const seconds = (performance.now() - begun) / 1_000;
        const finding = `4 KiB are written and safe after ${duration(seconds)}.`;
        return byShare(seconds, finding);
      } catch (error) {
        const code = ['ENOSPC', 'EROFS', 'EDQUOT', 'EACCES', 'EIO'].find((known) =>
          isErrorCode(error, known),
        );
        if (code === undefined) throw error;
        const action =
          'Make the volume writable again: free space, mount it for writing, or see to the disk.';
        return critical(`Nothing can be written to the volume (${code}).`, action);
      } finally {
        await rm(path, { force: true }).catch(() => undefined);
      }
    },
  },
});

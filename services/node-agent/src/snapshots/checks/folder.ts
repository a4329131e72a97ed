import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { checksOf, critical, detail, ok, warning } from '../check.ts';
import { filesBelow } from '../files-below.ts';
import { bytes, counted } from '../figures.ts';

/** what an agent keeps, but for what a runtime's folder holds */
const secretFiles = ['identity.json', 'desired-state.json', 'broker.conf', 'connectors-login'];

export const folderChecks = checksOf('Folder of the node', {
  folder_permissions: {
    title: 'Permissions',
    meaning:
      'The folder holds the key of the node and the logins of the broker: no other user of the machine may read them.',
    async run({ home }) {
      const open = await Promise.all(
        secretFiles.map(async (name) => {
          const { mode = 0 } = (await stat(join(home, name)).catch(() => undefined)) ?? {};
          return (mode & 0o077) === 0 ? [] : [detail(name, `0${(mode & 0o777).toString(8)}`)];
        }),
      );
      const { mode, uid } = await stat(home);
      const details = [detail('the folder', `0${(mode & 0o777).toString(8)}`), ...open.flat()];
      const me = process.getuid?.();
      if (me !== undefined && uid !== me && me !== 0)
        return critical(
          'The folder belongs to another user than that of the agent.',
          'Give the folder and all in it to the user of the agent (chown -R).',
          details,
        );
      if (open.flat().length > 0 && (mode & 0o077) !== 0)
        return critical(
          'Others of this machine may read secrets of the node.',
          'Take the rights of others away (chmod -R go-rwx), and rotate the credentials of the deployment.',
          details,
        );
      if (open.flat().length > 0)
        return warning(
          'Files with secrets are open to others; the folder around them is not.',
          'Take the rights of others away (chmod go-rwx).',
          details,
        );
      return ok('No other user may read the secrets of the node.', details);
    },
  },
  leftovers: {
    title: 'Leftovers',
    meaning:
      'What was to be there for a moment and is still there shows that something was interrupted, and takes space.',
    async run({ home }) {
      const names = await readdir(home);
      const passing = /\.(candidate|tmp|new|partial)$|^\.snapshot-|^core(\.\d+)?$/;
      const anHourAgo = Date.now() - 3_600_000;
      const found = await Promise.all(
        names
          .filter((name) => passing.test(name))
          .map(async (name) => ({ name, at: (await stat(join(home, name)).catch(() => undefined))?.mtime })),
      );
      const old = found.filter(({ at }) => at !== undefined && at.getTime() < anHourAgo);
      if (old.length === 0) return ok('Nothing is left over.');
      return warning(
        `${counted(old.length, 'file')} left over from what was interrupted.`,
        'Remove them; a core file first tells why a program ended.',
        old.slice(0, 10).map(({ name, at }) => detail(name, at?.toISOString() ?? '')),
      );
    },
  },
  file_times: {
    title: 'Times of files',
    meaning:
      'Files from the future show that the clock was set back: ages that are counted from them are wrong.',
    async run({ home }) {
      const names = await readdir(home);
      const ahead = await Promise.all(
        names.map(async (name) => {
          const { mtimeMs = 0, mtime } = (await stat(join(home, name)).catch(() => undefined)) ?? {};
          return mtime && mtimeMs > Date.now() + 60_000 ? [detail(name, mtime.toISOString())] : [];
        }),
      );
      const details = ahead.flat().slice(0, 10);
      if (details.length === 0) return ok('No file is from the future.');
      return warning(
        `${counted(details.length, 'file')} from the future.`,
        'See whether the clock of the machine is right, and was set back.',
        details,
      );
    },
  },
  folder_use: {
    title: 'What takes the space',
    meaning: 'Where the bytes of the volume are that this node has taken.',
    async run({ home }, signal) {
      const { files, all } = await filesBelow(home, signal);
      const parts = Map.groupBy(files, ({ path }) => path.slice(home.length + 1).split('/')[0] ?? '');
      const sizes = [...parts].map(([name, members]) => ({
        name,
        size: members.reduce((sum, { size }) => sum + size, 0),
      }));
      const total = sizes.reduce((sum, { size }) => sum + size, 0);
      const largest = sizes.sort((one, other) => other.size - one.size).slice(0, 8);
      const finding = `${all ? '' : 'At least '}${bytes(total)} in ${counted(files.length, 'file')}.`;
      return ok(
        finding,
        largest.map(({ name, size }) => detail(name, bytes(size))),
      );
    },
  },
});

import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DumpStore } from './store.ts';

const partial = '.partial';
/** a run that is killed leaves one behind */
const partialAge = 24 * 60 * 60_000;

/** A folder, such as a mounted volume. A dump gets its name when it is whole and on the disk. */
export function openFolder(folder: string): DumpStore {
  return {
    async write(name, content, signal) {
      const path = join(folder, name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await removeLeftovers(dirname(path));
      const unfinished = `${path}.${randomUUID()}${partial}`;
      try {
        await pipeline(content, createWriteStream(unfinished, { mode: 0o600, flush: true }), { signal });
        const { size } = await stat(unfinished);
        await rename(unfinished, path);
        await sync(dirname(path));
        return size;
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    async read(name) {
      const path = join(folder, name);
      await stat(path);
      return createReadStream(path);
    },
    async list(prefix) {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile() && !entry.name.endsWith(partial))
        .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, '/').length))
        .filter((name) => name.startsWith(prefix))
        .sort();
    },
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}

async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(partial)) continue;
    const { mtimeMs } = await stat(join(folder, name));
    if (Date.now() - mtimeMs > partialAge) await rm(join(folder, name), { force: true });
  }
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

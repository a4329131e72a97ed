import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface FoundFile {
  path: string;
  size: number;
  modifiedAt: Date;
}

/** looked at in all: a store can have a great many */
export const mostFiles = 20_000;

/** The files below a folder, no links and no sockets. `all` is false where there are more than are looked at. */
export async function filesBelow(
  folder: string,
  signal?: AbortSignal,
): Promise<{ files: FoundFile[]; all: boolean }> {
  const files: FoundFile[] = [];
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    signal?.throwIfAborted();
    for (const entry of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      const path = join(next, entry.name);
      if (files.length >= mostFiles) return { files, all: false };
      if (entry.isDirectory()) folders.push(path);
      if (!entry.isFile()) continue;
      const found = await stat(path).catch(() => undefined);
      if (found) files.push({ path, size: found.size, modifiedAt: found.mtime });
    }
  }
  return { files, all: true };
}

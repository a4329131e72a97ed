import { constants, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { syncFolder } from '@sluice/system';

/** Puts the compressed file, `<path>.gz`, in the place of a file. After a crash at least one of both is there and whole; `<path>.gz.tmp` is not. */
export async function gzipFile(path: string, signal: AbortSignal): Promise<void> {
  const unfinished = `${path}.gz.tmp`;
  const source = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const target = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(source.createReadStream({ autoClose: false }), createGzip(), target, { signal });
    await rename(unfinished, `${path}.gz`);
    await syncFolder(dirname(path));
    await rm(path, { force: true });
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    await source.close();
  }
}

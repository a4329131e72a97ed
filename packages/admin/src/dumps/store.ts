import type { Readable } from 'node:stream';
import { openBucket } from './bucket.ts';
import type { Place } from './config.ts';
import { openFolder } from './folder.ts';

/** Where dumps are kept, by names `<service>/<time>.dump.age`. */
export interface DumpStore {
  /** Stores all of `content` or, where that fails or `signal` is aborted, nothing under this name. @returns how many bytes */
  write(name: string, content: Readable, signal: AbortSignal): Promise<number>;
  read(name: string): Promise<Readable>;
  /** the names that begin like this, sorted */
  list(prefix: string): Promise<string[]>;
  remove(name: string): Promise<void>;
}

export const openStore = (place: Place): DumpStore =>
  place.DUMPS_DIR === undefined ? openBucket(place) : openFolder(place.DUMPS_DIR);

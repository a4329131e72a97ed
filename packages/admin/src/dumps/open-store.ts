import { openBucket } from './bucket.ts';
import type { Place } from './config.ts';
import { openFolder } from './folder.ts';
import type { DumpStore } from './store.ts';

export const openStore = (place: Place): DumpStore =>
  place.DUMPS_DIR === undefined ? openBucket(place) : openFolder(place.DUMPS_DIR);

import { totalmem } from 'node:os';
import { ConfigurationRefused, type StoredCapacity } from '../runtime.ts';
import { streamsIn, type Jsz } from './monitoring.ts';

/**
 * Looks whether the machine has the memory, and whether the streams that there are fit: a server that is started with less room would
 * leave some of them out.
 * @throws ConfigurationRefused when not
 */
export function checkCapacity({ memory_store, file_store }: StoredCapacity, jsz: Jsz | null): void {
  // in a container that is less than the machine has
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  if (memory_store !== null && memory_store > memory)
    throw new ConfigurationRefused(
      `the machine has ${memory} bytes of memory, which is less than ${memory_store}`,
    );
  const taken = jsz === null ? 0 : bytesOnVolume(jsz);
  if (file_store !== null && taken > file_store)
    throw new ConfigurationRefused(`its streams take ${taken} bytes, which is more than ${file_store}`);
}

const bytesOnVolume = (jsz: Jsz) =>
  streamsIn(jsz)
    .filter(({ config }) => config.storage === 'file')
    .reduce((sum, { state, config }) => sum + Math.max(state.bytes, config.max_bytes), 0);

import { totalmem } from 'node:os';
import { natsAccount } from '@sluice/contracts/broker-schemas';
import { ConfigurationRefused, type StoredCapacity } from '../runtime.ts';
import type { Jsz } from './statistics.ts';

/**
 * Looks whether the machine has the memory, and whether the streams that there are fit: a server that is started with less room would
 * leave some of them out.
 * @throws ConfigurationRefused when not
 */
export function checkCapacity({ memory_store, file_store }: StoredCapacity, jsz: Jsz): void {
  // in a container that is less than the machine has
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  if (memory_store !== null && memory_store > memory)
    throw new ConfigurationRefused(
      `the machine has ${memory} bytes of memory, which is less than ${memory_store}`,
    );
  const taken = bytesOnVolume(jsz);
  if (file_store !== null && taken > file_store)
    throw new ConfigurationRefused(`its streams take ${taken} bytes, which is more than ${file_store}`);
}

/** What streams have stored, or have reserved. */
function bytesOnVolume({ account_details }: Jsz): number {
  const streams = account_details?.find(({ name }) => name === natsAccount)?.stream_detail ?? [];
  const sizes = streams
    .filter(({ config }) => config?.storage === 'file')
    .map(({ state, config }) => Math.max(state.bytes, config?.max_bytes ?? 0));
  return sizes.reduce((sum, size) => sum + size, 0);
}

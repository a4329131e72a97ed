import type { StorageType, TierEntry } from '@sluice/client';

/** A tier in a few words: `2 vCPU, 8 GiB`. */
export const tierSize = ({ vcpus, memory_gib: memory }: Pick<TierEntry, 'vcpus' | 'memory_gib'>): string =>
  `${vcpus} vCPU, ${memory} GiB`;

/** Why a tier cannot be chosen; undefined where it can. */
export function tierRefusal({
  available,
  limit,
}: Pick<TierEntry, 'available' | 'limit'>): string | undefined {
  if (available) return undefined;
  return limit === 0 ? 'not in your plan' : `all ${limit} of your plan are in use`;
}

const storageNames: Record<StorageType, string> = {
  local_ssd: 'Local SSD',
  network_balanced: 'Network storage',
};

/** What a deployment stores on: `Network storage, 100 GB`. */
export const storageText = ({ type, size }: { type: StorageType; size: number | null }): string =>
  size === null ? storageNames[type] : `${storageNames[type]}, ${size} GB`;

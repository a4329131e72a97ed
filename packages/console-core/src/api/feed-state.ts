import type { Layer } from './keys.ts';

const live = new Set<string>();
const listeners = new Set<() => void>();

export const feedName = (layer: Layer, tenantId: number): string => `${layer} ${tenantId}`;

export const isLive = (name: string): boolean => live.has(name);

/** Notes whether a feed is there. */
export function setLive(name: string, isThere: boolean): void {
  if (live.has(name) === isThere) return;
  if (isThere) live.add(name);
  else live.delete(name);
  for (const listener of listeners) listener();
}

export function subscribeToFeeds(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * How long until a query that is shown is read again, in milliseconds; false where the feed tells of changes.
 * @param failures how often the query has failed in a row
 */
export function pollInterval(key: readonly unknown[], failures: number): number | false {
  const [layer, tenantId] = key as [Layer, number | null];
  if (tenantId === null || (layer !== 'audit' && isLive(feedName(layer, tenantId)))) return false;
  return Math.min(15_000 * 2 ** failures, 240_000);
}

import { LRUCache } from 'lru-cache';

/**
 * A cache of the entries that were last asked for. With `max` the library reserves room for all of them when the cache is
 * made, megabytes in a service that has just started; by their size it grows as it fills.
 * @param most how many entries it keeps
 */
export const leastRecentlyUsed = <Key extends string | number, Value extends object | true>(most: number) =>
  new LRUCache<Key, Value>({ maxSize: most, sizeCalculation: () => 1 });

export * from './grant-index.ts';
export * from './bucket.ts';
export { GrantCache, type GrantCacheOptions } from './cache.ts';
export * from './caller.ts';
export * from './confirmation.ts';
export { measureGrants } from './grant-metrics.ts';
export * from './leases.ts';
export * from './session.ts';

export { anyCall } from './calls.ts';
export * from './certificates.ts';
export * from './compute.ts';
export * from './fate.ts';
export * from './links.ts';
export * from './volumes.ts';

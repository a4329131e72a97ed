/**
 * What every program of Sluice needs of its machine. It is light to import, since a deployment's first message waits
 * for its node agents to start; the log, which costs most, is an entry of its own (`@sluice/system/log`).
 */
export * from './addresses.ts';
export * from './backoff.ts';
export * from './build.ts';
export * from './config.ts';
export * from './errors.ts';
export * from './files.ts';
export * from './kept-processes.ts';
export * from './lock.ts';
export * from './misspelled.ts';
export * from './port-range.ts';
export * from './processes.ts';
export * from './unprivileged.ts';

/** The contracts of drivers: see README.md. */
export * from './broker-place.ts';
export * from './certificates.ts';
export * from './compute.ts';
export * from './database.ts';
export * from './enrolment-token.ts';
export * from './host.ts';
export * from './links.ts';
export * from './network.ts';
export * from './node-size.ts';
export * from './pairs.ts';
export * from './registry.ts';
export * from './sealing-key.ts';
export * from './volumes.ts';

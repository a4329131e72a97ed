/** Real PostgreSQL and nats-server on this machine, for the embedded stack and for tests. */
export * from './cannot-start.ts';
export * from './debian-program.ts';
export { haproxyProgram } from './haproxy-program.ts';
export * from './keys.ts';
export * from './nats.ts';
export * from './nats-configuration.ts';
export { natsServerProgram } from './nats-program.ts';
export * from './ports.ts';
export * from './postgres.ts';
export { ensureCluster } from './postgres-cluster.ts';
export * from './server-process.ts';

/** How an agent keeps another program on its node: started in a session of its own, found again, commanded over a unix socket. */
export * from './link.ts';
export * from './server.ts';
export * from './socket-path.ts';
export * from './start.ts';
export type { LogLine } from './protocol.ts';

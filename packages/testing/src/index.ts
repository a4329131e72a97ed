/** What tests need from outside themselves: real servers, and patience. */
export { freePort, newNatsSeed } from '@sluice/embedded';
export { testDatabase, type TestDatabase } from './database.ts';
export { eventually } from './eventually.ts';
export { testFolder } from './folder.ts';
export { natsUsers } from './nats-users.ts';
export { testNats, type TestNats } from './nats.ts';
export { ownNats, ownPostgres, type OwnServer } from './own-servers.ts';
export * from './client.ts';
export * from './fixture.ts';
export * from './grants.ts';
export * from './broker.ts';
export * from './stack.ts';
export * from './replicas.ts';
export * from './revocation.ts';
export * from './rights.ts';
export * from './fault-proxy.ts';
export { startTestServers, type TestServers } from './test-servers.ts';

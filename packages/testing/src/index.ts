/** What tests need from outside themselves: real servers, and patience. */
export { freePort } from '@sluice/embedded';
export { testDatabase, type TestDatabase } from './database.ts';
export { eventually } from './eventually.ts';
export { testNats, type TestNats } from './nats.ts';
export { ownNats, ownPostgres, type OwnServer } from './own-servers.ts';

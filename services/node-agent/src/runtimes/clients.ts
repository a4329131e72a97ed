import type { ConnectClient } from './broker-client.ts';

/** The clients of all runtimes that connectors can work with. They are heavy, and loaded when one is used. */
export const brokerClients: ReadonlyMap<string, () => Promise<ConnectClient>> = new Map([
  ['nats', async () => (await import('./nats/client/connect.ts')).connectBroker],
]);

import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import {
  connect,
  nkeyAuthenticator,
  type NatsConnection,
  type NodeConnectionOptions,
} from '@nats-io/transport-node';
import type { BrokerAccess } from './protocol.ts';

/** How long the broker may take to answer. Milliseconds. */
const answerLimit = 5_000;

/** The node's broker, while this process is connected to it. */
export interface Broker {
  connection: NatsConnection;
  publisher: JetStreamClient;
  streams: JetStreamManager;
  /** how many copies there can be of a stream */
  replicas: number;
  /** bytes that a message may have, headers included */
  largestMessage: number;
}

/** The certificate is of the deployment's name, by which the broker is not reached here. */
function trusting({ authority, server_name }: NonNullable<BrokerAccess['tls']>) {
  // the client hands on what it does not know to Node.js
  const options = { ca: authority, servername: server_name };
  return options as NonNullable<NodeConnectionOptions['tls']>;
}

/**
 * Connects once; a connection that is lost comes back by itself. @throws Error when the broker does not answer, or does not let it in
 */
export async function connectBroker({ port, seed, tls, replicas = 1 }: BrokerAccess): Promise<Broker> {
  const connection = await connect({
    servers: `127.0.0.1:${port}`,
    name: 'connectors',
    authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
    timeout: answerLimit,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 200,
    reconnectJitter: 100,
    ignoreClusterUpdates: true,
    ...(tls !== null && { tls: trusting(tls) }),
  });
  try {
    return {
      connection,
      replicas,
      publisher: jetstream(connection, { timeout: answerLimit }),
      streams: await jetstreamManager(connection, { timeout: answerLimit }),
      largestMessage: connection.info?.max_payload ?? 2 ** 20,
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

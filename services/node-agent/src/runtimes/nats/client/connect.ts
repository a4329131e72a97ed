import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, nkeyAuthenticator, type NodeConnectionOptions } from '@nats-io/transport-node';
import { headers } from '@nats-io/nats-core';
import type { BrokerAccess, BrokerClient, Headers } from '../../broker-client.ts';
import type { Connected } from './connected.ts';
import { ensureConsumer, forgetConsumers } from './consumers.ts';
import { forgetPositions, openPosition } from './positions.ts';
import { pullBatch } from './pull.ts';
import { ensureStream } from './streams.ts';

const answerLimit = 5_000;

/** The certificate is of the deployment's name, by which the broker is not reached here. */
function trusting({ authority, server_name }: NonNullable<BrokerAccess['tls']>) {
  // the client hands on what it does not know to Node.js
  const options = { ca: authority, servername: server_name };
  return options as NonNullable<NodeConnectionOptions['tls']>;
}

export async function connectBroker({
  port,
  secret,
  tls,
  replicas = 1,
}: BrokerAccess): Promise<BrokerClient> {
  const connection = await connect({
    servers: `127.0.0.1:${port}`,
    name: 'connectors',
    authenticator: nkeyAuthenticator(new TextEncoder().encode(secret)),
    timeout: answerLimit,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 200,
    reconnectJitter: 100,
    ignoreClusterUpdates: true,
    ...(tls !== null && { tls: trusting(tls) }),
  });
  try {
    const streams = await jetstreamManager(connection, { timeout: answerLimit });
    const publisher = jetstream(connection, { timeout: answerLimit });
    return clientOf({ connection, replicas, publisher, streams });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function clientOf(broker: Connected): BrokerClient {
  const { connection, publisher } = broker;
  return {
    get connected() {
      return !connection.isClosed();
    },
    largestMessage: connection.info?.max_payload ?? 2 ** 20,
    ensureStream: async (spec) => {
      const subjects = await ensureStream(broker, spec);
      return { takes: (topic) => subjects.some((subject) => includes(subject, topic)) };
    },
    publish: async ({ stream, topic, id, payload, headers: given }) => {
      const options = { msgID: id, headers: written(given), expect: { streamName: stream } };
      await publisher.publish(topic, payload, options);
    },
    consume: async (instance, binding, acknowledgeMs) => {
      const { name, num_ack_pending } = await ensureConsumer(broker, instance, binding, acknowledgeMs);
      return {
        unacknowledged: num_ack_pending,
        next: (request, signal) =>
          pullBatch(connection, { stream: binding.stream, consumer: name, ...request }, signal),
      };
    },
    flush: () => connection.flush(),
    openPosition: (id) => openPosition(broker, id),
    forget: async (isGone) => {
      await forgetPositions(broker, isGone);
      await forgetConsumers(broker, isGone);
    },
    close: () => connection.close(),
  };
}

/** The server acts on headers whose names begin with nats-. */
function written(given: Headers) {
  const about = headers();
  for (const [name, value] of Object.entries(given))
    if (!/^nats-/i.test(name)) about.append(name, value.replace(/[\r\n]+/g, ' '));
  return about;
}

function includes(subject: string, topic: string): boolean {
  const [wanted, given] = [subject.split('.'), topic.split('.')];
  const rest = wanted.indexOf('>');
  if (rest < 0 ? wanted.length !== given.length : given.length <= rest) return false;
  return wanted.every((word, index) => word === '>' || word === '*' || word === given[index]);
}

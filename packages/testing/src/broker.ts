import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type ConnectionOptions, type NatsConnection } from '@nats-io/transport-node';

export interface Login {
  username: string;
  password: string;
}

/** Connects the stock client to a broker. Rejects when it is refused. */
export function connectBroker(
  endpoint: string | null,
  { username, password }: Login,
  options: ConnectionOptions = {},
): Promise<NatsConnection> {
  return connect({
    servers: endpoint ?? '',
    user: username,
    pass: password,
    reconnect: false,
    timeout: 5_000,
    ...options,
  });
}

/** Makes a stream, publishes `count` messages and reads them all back. @returns the texts read, in order */
export async function publishAndRead(connection: NatsConnection, count: number): Promise<string[]> {
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: 'orders', subjects: ['orders.>'] });
  const broker = jetstream(connection);
  for (let i = 0; i < count; i++) await broker.publish(`orders.${i % 10}`, `message ${i}`);
  await manager.consumers.add('orders', { durable_name: 'reader', ack_policy: 'explicit' });
  const consumer = await broker.consumers.get('orders', 'reader');
  const texts: string[] = [];
  const messages = await consumer.consume({ max_messages: 200 });
  for await (const message of messages) {
    texts.push(message.string());
    message.ack();
    if (texts.length === count) break;
  }
  return texts;
}

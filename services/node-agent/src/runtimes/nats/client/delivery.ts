import type { Msg, NatsConnection } from '@nats-io/nats-core';
import type { Delivery } from '../../broker-client.ts';

/** Reads the subject by which a message is acknowledged, which holds its place in the stream. */
export function deliveryOf(
  connection: NatsConnection,
  { subject, data, headers, reply = '' }: Msg,
): Delivery {
  // $JS.ACK.<stream>.<consumer>.<deliveries>.<sequence>.<sequence of the consumer>.<timestamp>.<pending>, and newer servers put domain
  // and account before the stream
  const tokens = reply.split('.');
  const before = tokens.length >= 11 ? 2 : 0;
  const answer = (word: string) => () => connection.publish(reply, word);
  const names = headers?.keys() ?? [];
  return {
    topic: subject,
    payload: data,
    headers: Object.fromEntries(names.map((name) => [name, headers?.values(name).join(', ') ?? ''])),
    sequence: Number(tokens[5 + before] ?? 0),
    timestamp: BigInt(tokens[7 + before] ?? 0),
    ack: answer('+ACK'),
    nak: answer('-NAK'),
    working: answer('+WPI'),
  };
}

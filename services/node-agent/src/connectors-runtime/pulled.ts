import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/nats-core';

/** A message that a durable consumer has given out, until it is acknowledged. */
export interface Pulled {
  subject: string;
  data: Uint8Array;
  headers: MsgHdrs | undefined;
  /** in its stream */
  sequence: number;
  /** when the broker took it: nanoseconds since 1970 */
  timestamp: bigint;
  /** It is done with. */
  ack(): void;
  /** It is to come again, at once. */
  nak(): void;
  /** It is still being worked on: it does not come again for a while. */
  working(): void;
}

/** Reads what the broker says of a message in the subject that it is acknowledged by. */
export function pulled(connection: NatsConnection, { subject, data, headers, reply = '' }: Msg): Pulled {
  // $JS.ACK.<stream>.<consumer>.<deliveries>.<sequence>.<sequence of the consumer>.<timestamp>.<pending>, and newer servers put domain
  // and account before the stream
  const tokens = reply.split('.');
  const before = tokens.length >= 11 ? 2 : 0;
  const answer = (word: string) => () => connection.publish(reply, word);
  return {
    ...{ subject, data, headers },
    sequence: Number(tokens[5 + before] ?? 0),
    timestamp: BigInt(tokens[7 + before] ?? 0),
    ack: answer('+ACK'),
    nak: answer('-NAK'),
    working: answer('+WPI'),
  };
}

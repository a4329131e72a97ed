import type { DeliveryInfo, JsMsg, StoredMsg } from '@nats-io/jetstream';

/** What of a delivered message is used where it is handled by itself. */
export interface Delivery extends Pick<
  JsMsg,
  | 'seq'
  | 'subject'
  | 'headers'
  | 'data'
  | 'time'
  | 'timestampNanos'
  | 'json'
  | 'ack'
  | 'nak'
  | 'term'
  | 'working'
> {
  info: Pick<DeliveryInfo, 'deliveryCount'>;
}

/**
 * A message that was read from its stream. It counts as one that another process has had. Nothing is acknowledged: when it is delivered,
 * the inbox has it.
 */
export function deliveryOf(stored: StoredMsg): Delivery {
  const { seq, subject, header, data } = stored;
  const timestampNanos = nanosecondsOf(stored.timestamp);
  const nothing = () => undefined;
  return {
    ...{ seq, subject, data, headers: header, timestampNanos },
    // as the client computes it for messages that are delivered
    time: new Date(Math.floor(Number(timestampNanos) / 1e6)),
    json: stored.json.bind(stored),
    info: { deliveryCount: 2 },
    ...{ ack: nothing, nak: nothing, term: nothing, working: nothing },
  };
}

function nanosecondsOf(timestamp: string): bigint {
  const fraction = /\.(\d{1,9})/.exec(timestamp)?.[1] ?? '';
  const seconds = Math.floor(Date.parse(timestamp) / 1000);
  return BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
}

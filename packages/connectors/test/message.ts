import type { OutgoingMessage } from '../src/plugin.ts';

let made = 0;

export function aMessage(
  payload: unknown = { n: ++made },
  more: Partial<OutgoingMessage> = {},
): OutgoingMessage {
  const { published_at = new Date('2026-03-01T12:00:00Z') } = more;
  return {
    id: `orders:${++made}`,
    stream: 'orders',
    topic: 'orders.new',
    payload: payload instanceof Uint8Array ? payload : Buffer.from(JSON.stringify(payload)),
    headers: {},
    published_at,
    published_ns: BigInt(published_at.getTime()) * 1_000_000n,
    ...more,
  };
}

import type { Socket } from 'node:net';
import type { Transform } from 'node:stream';
import { throttled, type TokenBucket } from '@sluice/system/throttle';

/** How long a connection may stay silent after one side has finished sending. */
const halfClosedLimit = 30_000;

/** One towards the broker, one towards the clients. */
export interface Buckets {
  incoming: TokenBucket;
  outgoing: TokenBucket;
}

/**
 * Passes bytes both ways between two sockets that were opened with `allowHalfOpen`, as the buckets let them. Each side is read no
 * faster than the other takes it. When one side finishes sending, the other learns that and may go on; when one breaks, so does
 * the other. Nothing stays open once either is gone.
 * @returns to be called when the rates have changed: without a rate nothing stands between the sockets
 */
export function splice(client: Socket, broker: Socket, { incoming, outgoing }: Buckets): () => void {
  const finished = () => {
    for (const socket of [client, broker])
      socket.setTimeout(halfClosedLimit, () => resetBoth(client, broker));
  };
  const ways = [
    { from: client, to: broker, bucket: incoming, throttle: undefined as Transform | undefined },
    { from: broker, to: client, bucket: outgoing, throttle: undefined as Transform | undefined },
  ];
  const throttle = () => {
    for (const way of ways) {
      const { from, to, bucket } = way;
      if (way.throttle !== undefined || bucket.rate === null || from.readableEnded) continue;
      from.unpipe(to);
      way.throttle = throttled(bucket);
      // what it holds is still to come once the sender has finished
      from.off('end', finished).pipe(way.throttle.once('end', finished)).pipe(to);
    }
  };
  for (const way of ways) {
    const { from, to } = way;
    from.setNoDelay(true);
    from.pipe(to);
    from.once('end', finished);
    from.on('error', () => resetBoth(client, broker));
    from.once('close', () => {
      // After a regular end the pipe has ended the other side, which may still have bytes to hand over.
      if (from.readableEnded) return;
      way.throttle?.destroy();
      resetBoth(client, broker);
    });
  }
  throttle();
  return throttle;
}

export function resetBoth(client: Socket, broker: Socket): void {
  for (const socket of [client, broker]) if (!socket.destroyed) socket.resetAndDestroy();
}

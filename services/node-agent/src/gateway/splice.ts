import type { Socket } from 'node:net';

/** How long a connection may stay silent after one side has finished sending. */
const halfClosedLimit = 30_000;

/**
 * Passes bytes both ways between two sockets that were opened with `allowHalfOpen`. Each side is read no faster than
 * the other takes it. When one side finishes sending, the other is told and may go on; when one breaks, so does the
 * other. Nothing stays open once either is gone.
 */
export function splice(client: Socket, broker: Socket): void {
  const finished = () => {
    for (const socket of [client, broker])
      socket.setTimeout(halfClosedLimit, () => resetBoth(client, broker));
  };
  for (const [from, to] of [
    [client, broker],
    [broker, client],
  ] as const) {
    from.setNoDelay(true);
    from.pipe(to);
    from.once('end', finished);
    from.on('error', () => resetBoth(client, broker));
    from.once('close', () => {
      // After a regular end the pipe has ended the other side, which may still have bytes to hand over.
      if (!from.readableEnded) resetBoth(client, broker);
    });
  }
}

/** Resets both sides. */
export function resetBoth(client: Socket, broker: Socket): void {
  for (const socket of [client, broker]) if (!socket.destroyed) socket.resetAndDestroy();
}

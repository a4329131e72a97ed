import { setTimeout as delay } from 'node:timers/promises';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Log } from '../log.ts';

/** Connects to NATS and stays connected: lost connections are re-established for as long as the process lives. */
export async function connectNats(url: string, name: string, log: Log): Promise<NatsConnection> {
  const nats = await connect({
    servers: url.split(',').map((server) => server.trim()),
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 5_000,
    maxPingOut: 2,
    waitOnFirstConnect: true,
  });
  watchConnection(nats, {
    lost: () => log.warn('NATS is away'),
    back: () => log.info('NATS is back'),
  });
  return nats;
}

const drainMilliseconds = 2_000;

/**
 * Closes a connection once what is buffered, such as acknowledgements, has been sent; for that it waits two seconds at
 * most, since draining does not end while NATS is away.
 */
export async function closeNats(nats: NatsConnection): Promise<void> {
  const waiting = new AbortController();
  await Promise.race([
    nats.drain().catch(() => undefined),
    delay(drainMilliseconds, undefined, { signal: waiting.signal }).catch(() => undefined),
  ]);
  waiting.abort();
  await nats.close();
}

/** Tells when the connection is lost, and when it is back, until it is closed. */
export function watchConnection(
  nats: NatsConnection,
  { lost, back }: { lost?: () => void; back?: () => void },
): void {
  const follow = async () => {
    for await (const { type } of nats.status()) {
      if (type === 'disconnect') lost?.();
      if (type === 'reconnect') back?.();
    }
  };
  void follow();
}

const answerMilliseconds = 2_000;

/**
 * A check for readiness: rejects when NATS has not answered within two seconds, and at once while there is no
 * connection.
 */
export function natsAnswers(nats: NatsConnection): () => Promise<void> {
  let isConnected = true;
  watchConnection(nats, {
    lost: () => {
      isConnected = false;
    },
    back: () => {
      isConnected = true;
    },
  });
  return async () => {
    if (!isConnected) throw new Error('there is no connection to NATS');
    const waiting = new AbortController();
    try {
      await Promise.race([
        nats.flush(),
        delay(answerMilliseconds, undefined, { signal: waiting.signal }).then(() => {
          throw new Error('NATS does not answer');
        }),
      ]);
    } finally {
      waiting.abort();
    }
  };
}

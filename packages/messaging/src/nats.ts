import { setTimeout as delay } from 'node:timers/promises';
import type { Sender } from '@sluice/contracts';
import { retry } from '@sluice/controller';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Log } from '@sluice/service';
import { natsOptions, refusalOf, type NatsEnvironment } from './nats-options.ts';

/**
 * Connects to NATS and stays connected: lost connections are re-established for as long as the process lives, also where
 * NATS has refused this user meanwhile.
 */
export async function connectNats(
  environment: NatsEnvironment,
  sender: Sender,
  name: string,
  log: Log,
): Promise<NatsConnection> {
  const options = await natsOptions(environment, sender);
  const open = () =>
    connect({
      ...options,
      name,
      maxReconnectAttempts: -1,
      ignoreAuthErrorAbort: true,
      reconnectTimeWait: 250,
      reconnectJitter: 250,
      pingInterval: 5_000,
      maxPingOut: 2,
    });
  let warnAt = Date.now() + quietMilliseconds;
  const nats = await retry(open, {
    pause: { first: 250, cap: 1_000 },
    failed(error) {
      if (Date.now() < warnAt) return;
      log.warn('NATS cannot be reached, or refuses this user', { error: refusalOf(error) });
      warnAt = Date.now() + repeatMilliseconds;
    },
  });
  watchConnection(nats, {
    lost: () => log.warn('NATS is away'),
    back: () => log.info('NATS is back'),
    refused: (error) => log.warn('NATS has refused something', { error }),
  });
  return nats;
}

/** a server that starts at the same time is no news */
const quietMilliseconds = 3_000;
const repeatMilliseconds = 10_000;
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

/** Tells when the connection is lost, when it is back, and what is refused on it, until it is closed. */
export function watchConnection(
  nats: NatsConnection,
  { lost, back, refused }: { lost?: () => void; back?: () => void; refused?: (error: Error) => void },
): void {
  const follow = async () => {
    for await (const status of nats.status()) {
      if (status.type === 'disconnect') lost?.();
      if (status.type === 'reconnect') back?.();
      if (status.type === 'error') refused?.(status.error);
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

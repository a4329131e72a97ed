import { setTimeout as delay } from 'node:timers/promises';
import type { StreamDeclaration } from '@sluice/contracts';
import { DiscardPolicy, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream';
import { connect, nanos, type NatsConnection } from '@nats-io/transport-node';
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
  void logStatus(nats, log);
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

async function logStatus(nats: NatsConnection, log: Log): Promise<void> {
  for await (const status of nats.status()) {
    if (status.type === 'disconnect') log.warn('NATS is away');
    if (status.type === 'reconnect') log.info('NATS is back');
  }
}

/** Creates the streams that do not exist yet and adapts the others. Several replicas may do so at the same time. */
export async function ensureStreams(
  nats: NatsConnection,
  streams: readonly StreamDeclaration[],
): Promise<void> {
  const manager = await jetstreamManager(nats);
  for (const { name, subjects, retention, maxAgeSeconds } of streams) {
    const adaptable = { subjects, max_age: nanos(maxAgeSeconds * 1000), duplicate_window: nanos(2 * 60_000) };
    try {
      await manager.streams.update(name, adaptable);
    } catch {
      await manager.streams.add({
        name,
        ...adaptable,
        retention: retention === 'workqueue' ? RetentionPolicy.Workqueue : RetentionPolicy.Limits,
        storage: StorageType.File,
        discard: DiscardPolicy.Old,
      });
    }
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Sender, StreamDeclaration } from '@sluice/contracts';
import {
  DiscardPolicy,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { connect, errors, nanos, type NatsConnection } from '@nats-io/transport-node';
import type { Log } from '../log.ts';
import { natsOptions, type NatsEnvironment } from './nats-options.ts';

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
  const waiting = setInterval(
    () => log.warn('NATS cannot be reached, or refuses this user'),
    firstConnectMilliseconds,
  );
  const options = await natsOptions(environment, sender);
  const nats = await connect({
    ...options,
    name,
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    pingInterval: 5_000,
    maxPingOut: 2,
    waitOnFirstConnect: true,
  }).finally(() => clearInterval(waiting));
  void logStatus(nats, log);
  return nats;
}

const firstConnectMilliseconds = 10_000;
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
    if (status.type === 'error') log.warn('NATS has refused something', { error: status.error });
  }
}

/**
 * Creates the streams that do not exist yet and adapts the others; what only its owner may make is waited for. Several
 * replicas may do so at the same time.
 */
export async function ensureStreams(
  nats: NatsConnection,
  streams: readonly StreamDeclaration[],
): Promise<void> {
  const manager = await jetstreamManager(nats);
  for (const { name, subjects, retention, maxAgeSeconds } of streams) {
    const adaptable = { subjects, max_age: nanos(maxAgeSeconds * 1000), duplicate_window: nanos(2 * 60_000) };
    const make = () =>
      manager.streams.add({
        name,
        ...adaptable,
        retention: retention === 'workqueue' ? RetentionPolicy.Workqueue : RetentionPolicy.Limits,
        storage: StorageType.File,
        discard: DiscardPolicy.Old,
      });
    try {
      await manager.streams.update(name, adaptable).catch(make);
    } catch (error) {
      if (!isForbidden(error)) throw error;
      await onceMade(() => manager.streams.info(name));
    }
  }
}

const onceMadeMilliseconds = 60_000;

/** Repeats a step that fails because its owner has not made yet what it is about. */
export async function onceMade<T>(step: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + onceMadeMilliseconds;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      const isMissing = error instanceof JetStreamApiError && error.status === 404;
      if (!(isMissing || isForbidden(error)) || performance.now() > deadline) throw error;
      await delay(100);
    }
  }
}

function isForbidden(error: unknown): boolean {
  const cause = error instanceof errors.RequestError ? error.cause : error;
  return cause instanceof errors.PermissionViolationError;
}

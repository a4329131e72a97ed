import { setTimeout as pause } from 'node:timers/promises';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node';
import { connectBroker, type Login } from './broker.ts';
import { eventually } from './eventually.ts';

/** Connects the stock client to all brokers of a cluster: it goes on with another when one is gone. */
export async function connectBrokers(
  endpoints: readonly (string | null)[],
  login: Login,
  options: ConnectionOptions = {},
): Promise<NatsConnection> {
  const servers = endpoints.flatMap((endpoint) => endpoint ?? []);
  return await connectBroker(null, login, {
    ...{ servers, reconnect: true, maxReconnectAttempts: -1, reconnectTimeWait: 100, reconnectJitter: 50 },
    ...options,
  });
}

/** Makes a stream with three copies of each message. */
export async function addReplicatedStream(
  connection: NatsConnection,
  name: string,
  subject: string,
): Promise<void> {
  const streams = await jetstreamManager(connection, { timeout: 10_000 });
  const config = { name, subjects: [subject], num_replicas: 3, duplicate_window: 600e9 };
  await eventually(() => streams.streams.add(config), { timeoutMs: 30_000 });
}

export interface SteadyPublisher {
  /** how many messages the brokers have acknowledged */
  readonly acknowledged: number;
  /** the longest time between two acknowledgements so far, in milliseconds, and since when it is measured */
  readonly longestGap: number;
  /** Measures gaps anew. */
  forgetGap(): void;
  stop(): Promise<void>;
}

/** Publishes one message after the other, numbered from `first` on, each until it is acknowledged. */
export function publishSteadily(
  connection: NatsConnection,
  subject: string,
  pauseMilliseconds = 5,
  first = 0,
): SteadyPublisher {
  const publisher = jetstream(connection, { timeout: 1_000 });
  let acknowledged = first;
  let [longestGap, last, stopped] = [0, performance.now(), false];
  const work = (async () => {
    while (!stopped) {
      const text = String(acknowledged);
      const stored = await publisher
        .publish(subject, text, { msgID: `${subject} ${text}`, timeout: 1_000 })
        .then(
          () => true,
          () => false,
        );
      if (!stored) {
        await pause(50);
        continue;
      }
      const now = performance.now();
      longestGap = Math.max(longestGap, now - last);
      last = now;
      acknowledged++;
      await pause(pauseMilliseconds);
    }
  })();
  return {
    get acknowledged() {
      return acknowledged;
    },
    get longestGap() {
      return Math.max(longestGap, performance.now() - last);
    },
    forgetGap() {
      [longestGap, last] = [0, performance.now()];
    },
    async stop() {
      stopped = true;
      await work;
    },
  };
}

/** How many of the first `count` messages of a stream are not there. */
export async function countLost(connection: NatsConnection, name: string, count: number): Promise<number> {
  const found = new Set(await readStream(connection, name));
  return Array.from({ length: count }, (_, index) => String(index)).filter((text) => !found.has(text)).length;
}

/** All messages of a stream as texts, in their order; as many as there are when nothing more comes for ten seconds. */
export async function readStream(connection: NatsConnection, name: string): Promise<string[]> {
  const texts: string[] = [];
  const consumer = await jetstream(connection).consumers.get(name);
  const { num_pending } = await consumer.info();
  while (texts.length < num_pending) {
    const before = texts.length;
    const max_messages = Math.min(num_pending - before, 500);
    for await (const message of await consumer.fetch({ max_messages, expires: 10_000 }))
      texts.push(message.string());
    if (texts.length === before) break;
  }
  return texts;
}

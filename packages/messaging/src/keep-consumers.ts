import {
  consumersOf,
  redriveOf,
  type ConsumerDeclaration,
  type Sender,
  type Topology,
} from '@sluice/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import { repeat } from '@sluice/controller';
import type { Log } from '@sluice/service';
import { Durable, longestRedrive } from './durable.ts';

export interface ConsumerKeeperOptions {
  nats: NatsConnection;
  topology: Topology;
  /** whose consumers are kept: asked again and again, since regions are added */
  senders: () => Promise<readonly Sender[]>;
  log: Log;
  /** how often to look, in seconds */
  everySeconds?: number;
}

/**
 * Makes the consumers of all services, and makes them again when NATS has lost them. Who makes a consumer names the subject to
 * which NATS delivers its messages, so only main-api may.
 * @returns ends it
 */
export function keepConsumers(options: ConsumerKeeperOptions): () => Promise<void> {
  const { nats, topology, senders, log, everySeconds = 2 } = options;
  const kept = new Map<string, Durable>();
  const keep = async (declared: ConsumerDeclaration, ignoredAge?: number) => {
    if (kept.has(declared.name)) return;
    const durable = new Durable({
      ...{ nats, log, ignoredAge, declares: true, filter: undefined },
      ...declared,
      lookEveryMilliseconds: everySeconds * 1_000,
    });
    kept.set(declared.name, durable);
    await durable.start();
  };
  const keeping = repeat({
    every: everySeconds,
    run: async () => {
      for (const sender of await senders())
        for (const consumer of consumersOf(topology, sender)) {
          await keep(consumer);
          await keep(redriveOf(topology, consumer.name), longestRedrive);
        }
    },
    failed: (error) => log.warn('the senders whose consumers are to be made cannot be read', { error }),
  });
  return async () => {
    await keeping.stop();
    for (const durable of kept.values()) await durable.stop();
  };
}

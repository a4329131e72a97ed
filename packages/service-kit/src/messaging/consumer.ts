import { setTimeout as pause } from 'node:timers/promises';
import { jetstream, type ConsumerMessages } from '@nats-io/jetstream';
import type { Sql } from '../database/sql.ts';
import { NotReady } from '../problem.ts';
import { consumerMetrics } from './consumer-metrics.ts';
import type { ConsumerOptions } from './consumer-options.ts';
import { Durable } from './durable.ts';
import { Handling } from './handling.ts';

const batchSize = 20;

/**
 * A durable, idempotent consumer. A message's effect and its id in the `inbox` are stored in one transaction, so it
 * has that effect once however often it is delivered. Only a message that is proven wrong becomes a dead letter; while
 * anything else fails the consumer waits, says so, and goes on by itself (`Handling`). A consumer that NATS has lost is
 * declared again, and goes on from the beginning of its stream (`Durable`).
 */
export class Consumer<Handle extends Sql> {
  readonly #options: ConsumerOptions<Handle>;
  readonly #durable: Durable;
  readonly #handling: Handling<Handle>;
  readonly #fetched = new Set<ConsumerMessages>();
  #running: Promise<unknown> | undefined;
  #stopped = false;

  constructor(options: ConsumerOptions<Handle>) {
    this.#options = options;
    const { nats, stream, name, filter, log } = options;
    const { ackWaitMilliseconds = 5_000, lookEveryMilliseconds = 2_000 } = options;
    this.#durable = new Durable({
      ...{ nats, stream, name, filter, log, ackWaitMilliseconds, lookEveryMilliseconds },
      changed: () => this.#restart(),
    });
    this.#handling = new Handling(options, consumerMetrics(options.metrics), ackWaitMilliseconds);
  }

  /** Declares the consumer and begins; where its stream is not there yet, as soon as it is. */
  async start(): Promise<void> {
    await this.#durable.start();
    this.#running = Promise.all(Array.from({ length: this.#options.concurrency ?? 1 }, () => this.#run()));
  }

  /** Stops fetching messages and waits for those that are being handled. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#handling.stop();
    this.#restart();
    await this.#durable.stop();
    await this.#running;
  }

  /** Rejects while NATS is not known to have the consumer, or it is paused, for readiness. */
  async check(): Promise<void> {
    if (!this.#durable.isThere) throw new NotReady(`${this.#options.name} does not get messages`);
    this.#handling.pauses.check();
  }

  /** Ends what is being fetched; workers that are not to stop fetch again. */
  #restart(): void {
    for (const messages of this.#fetched) messages.stop();
  }

  async #run(): Promise<void> {
    const { name, log } = this.#options;
    while (!this.#stopped) {
      let messages: ConsumerMessages | undefined;
      try {
        messages = await this.#fetch();
        this.#fetched.add(messages);
        if (this.#stopped) messages.stop();
        for await (const message of messages) {
          // what has been fetched but not handled goes to another replica at once
          if (this.#stopped) message.nak();
          else await this.#handling.handle(message);
        }
      } catch (error) {
        if (this.#stopped) return;
        if (this.#durable.isThere)
          log.warn('a consumer lost its stream; it starts again', { consumer: name, error });
        this.#durable.lookNow();
        await pause(500);
      } finally {
        messages?.stop();
        if (messages) this.#fetched.delete(messages);
      }
    }
  }

  async #fetch(): Promise<ConsumerMessages> {
    const { nats, stream, name, concurrency = 1 } = this.#options;
    const consumer = await jetstream(nats, { timeout: 2_000 }).consumers.get(stream.name, name);
    return await consumer.consume({
      // a message fetched behind a slow one would wait, though another worker is idle
      max_messages: concurrency > 1 ? 1 : batchSize,
      expires: 10_000,
      abort_on_missing_resource: true,
    });
  }
}

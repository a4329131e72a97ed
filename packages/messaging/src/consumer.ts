import { setTimeout as pause } from 'node:timers/promises';
import { jetstream, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream';
import { type Sql, NotReady } from '@sluice/service';
import { Batches, mostMessages } from './batches.ts';
import { consumerMetrics } from './consumer-metrics.ts';
import type { ConsumerOptions } from './consumer-options.ts';
import { ConsumerTurn } from './consumer-turn.ts';
import { Durable, longestRedrive, usualAckWait } from './durable.ts';
import { Following } from './following.ts';
import { Handling } from './handling.ts';
import { isBehind, noteProgress, type NoteProgress } from './progress.store.ts';
import { StreamOrder } from './stream-order.ts';

/** messages that are fetched before they are handled one by one; of those that are handled together as many as one transaction takes, so that none waits until NATS sends it again */
const fetchedEach = 20;

/**
 * A durable, idempotent consumer. A message's effect and its id in the `inbox` are stored in one transaction, so it
 * has that effect once however often it is delivered. Only a message that is proven wrong becomes a dead letter; while
 * anything else fails the consumer waits, says so, and goes on by itself (`Handling`). A consumer that NATS has lost is
 * made again, and goes on from the beginning of its stream (`Durable`). With `inOrder` messages have their effect in the order of
 * their stream (`StreamOrder`), and one replica at a time reads them (`ConsumerTurn`).
 */
export class Consumer<Handle extends Sql> {
  readonly #options: ConsumerOptions<Handle>;
  readonly #durable: Durable;
  readonly #handling: Handling<Handle>;
  /** where many are handled together */
  readonly #batches: Batches<Handle> | undefined;
  /** where one replica at a time reads */
  readonly #turn: ConsumerTurn | undefined;
  readonly #following: Following | undefined;
  readonly #fetched = new Set<ConsumerMessages>();
  #running: Promise<unknown> | undefined;
  readonly #stopping = new AbortController();

  constructor(options: ConsumerOptions<Handle>) {
    this.#options = options;
    const {
      nats,
      stream,
      filter,
      redrives,
      declares,
      log,
      sql,
      ackWaitMilliseconds = usualAckWait,
    } = options;
    const { lookEveryMilliseconds = redrives ? 10_000 : 2_000 } = options;
    this.#durable = new Durable({
      ...{ nats, stream, filter, declares, log, ackWaitMilliseconds, lookEveryMilliseconds },
      name: this.#name,
      ignoredAge: redrives ? longestRedrive : undefined,
      isBehind: this.#recovers ? (acknowledged) => isBehind(sql, this.#name, acknowledged) : undefined,
      restored: options.restored,
      changed: () => this.#restart(),
    });
    const metrics = consumerMetrics(options.metrics);
    this.#handling = new Handling(options, metrics, ackWaitMilliseconds, this.#noteProgress);
    const { handleMany } = options;
    if (handleMany && !redrives)
      this.#batches = new Batches(
        { ...options, handleMany },
        this.#handling,
        metrics,
        ackWaitMilliseconds,
        this.#noteProgress,
        this.#isInOrder ? this.#order() : undefined,
      );
    if (options.follows) this.#following = new Following(options.follows, log);
    if (this.#isInOrder)
      this.#turn = new ConsumerTurn({
        ...{ sql, log, process: options.process },
        consumer: this.#name,
        lost: () => this.#restart(),
      });
  }

  /** Begins; where NATS does not have the consumer yet, as soon as it has. */
  async start(): Promise<void> {
    await this.#durable.start();
    this.#turn?.start();
    this.#running = Promise.all(Array.from({ length: this.#options.concurrency ?? 1 }, () => this.#run()));
  }

  /** Stops fetching messages and waits for those that are being handled. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#handling.stop();
    this.#restart();
    await this.#durable.stop();
    await this.#running;
    await this.#turn?.stop();
  }

  /** Rejects while NATS is not known to have the consumer, or it is paused, for readiness. */
  async check(): Promise<void> {
    const { redrives = false } = this.#options;
    if (!redrives && !this.#durable.isThere) throw new NotReady(`${this.#name} does not get messages`);
    this.#handling.pauses.check();
  }

  /** Until when, by the clock of NATS, all messages have been handled, but for those that are tried again; undefined while some wait. */
  handledUntil(): Promise<Date | undefined> {
    return this.#durable.handledUntil();
  }

  /** Has all messages that the stream still has delivered again; those that had their effect have none a second time. */
  async readAgain(): Promise<void> {
    await this.#durable.readAgain();
  }

  get #recovers(): boolean {
    const { recovers = false, redrives = false } = this.#options;
    return recovers && !redrives;
  }

  get #isInOrder(): boolean {
    const { inOrder = false, redrives = false } = this.#options;
    return inOrder && !redrives;
  }

  #order(): StreamOrder {
    const { nats, sql, log, stream } = this.#options;
    return new StreamOrder({
      ...{ nats, sql, log, stream: stream.name, consumer: this.#name },
      streamCreated: () => this.#durable.streamCreated,
      handle: (message) => this.#handling.handle(message),
    });
  }

  readonly #noteProgress: NoteProgress = async (sql, sequence) => {
    const { streamCreated } = this.#durable;
    if (this.#recovers && streamCreated !== undefined)
      await noteProgress(sql, this.#name, { streamCreated, sequence });
  };

  get #name(): string {
    return this.#options.durable ?? this.#options.name;
  }

  /** Ends what is being fetched; workers that are not to stop fetch again. */
  #restart(): void {
    for (const messages of this.#fetched) messages.stop();
  }

  async #run(): Promise<void> {
    const { log } = this.#options;
    while (!this.#stopping.signal.aborted) {
      // one whose service is ready without it waits for the next look
      if (this.#options.redrives && !this.#durable.isThere) {
        await this.#pause(1_000);
        continue;
      }
      if (this.#turn && !this.#turn.isMine) {
        await this.#pause(100);
        continue;
      }
      let messages: ConsumerMessages | undefined;
      try {
        messages = await this.#fetch();
        this.#fetched.add(messages);
        if (this.#stopping.signal.aborted) messages.stop();
        const { signal } = this.#stopping;
        const inTurn = this.#following?.of(messages, signal) ?? messages;
        if (this.#batches) await this.#batches.handleAll(inTurn, signal);
        else await this.#handleEach(inTurn);
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        if (this.#durable.isThere)
          log.warn('a consumer lost its stream; it starts again', { consumer: this.#name, error });
        this.#durable.lookNow();
        await this.#pause(500);
      } finally {
        messages?.stop();
        if (messages) this.#fetched.delete(messages);
      }
    }
  }

  async #handleEach(messages: AsyncIterable<JsMsg>): Promise<void> {
    for await (const message of messages) {
      // what has been fetched but not handled goes to another replica at once
      if (this.#stopping.signal.aborted) message.nak();
      else await this.#handling.handle(message);
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  async #fetch(): Promise<ConsumerMessages> {
    const { nats, stream, concurrency = 1, mostTogether = mostMessages } = this.#options;
    const consumer = await jetstream(nats, { timeout: 2_000 }).consumers.get(stream.name, this.#name);
    return await consumer.consume({
      // a message fetched behind a slow one would wait, though another worker is idle
      max_messages: concurrency > 1 ? 1 : this.#batches ? mostTogether : fetchedEach,
      expires: 10_000,
      abort_on_missing_resource: true,
    });
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import { jetstreamManager, type JetStreamManager, type StoredMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Sql, Log } from '@sluice/service';
import { deliveryOf, type Delivery } from './delivery.ts';
import { handledUpTo } from './progress.store.ts';

export interface StreamOrderOptions {
  nats: NatsConnection;
  stream: string;
  consumer: string;
  sql: Sql;
  /** when the stream was made; undefined while that is not known */
  streamCreated: () => string | undefined;
  /** Handles a message to its end, unless it is stopped. */
  handle: (message: Delivery) => Promise<void>;
  log: Log;
}

const retryMilliseconds = 500;

/**
 * Has messages handled in the order of their stream, however they are delivered: before one is handled, those before it are read from the
 * stream and handled. Another process may have got these and ended, or still have them; then their effect is had once all the same.
 */
export class StreamOrder {
  readonly #options: StreamOrderOptions;
  #manager: JetStreamManager | undefined;

  constructor(options: StreamOrderOptions) {
    this.#options = options;
  }

  /** Resolves when nothing before this place of the stream is left to be handled, or it is stopped. */
  async handleBefore(sequence: number, stopping: AbortSignal): Promise<void> {
    const { consumer, handle, log } = this.#options;
    let from = 1;
    let isTold = false;
    while (!stopping.aborted) {
      try {
        const next = await this.#nextBefore(sequence, from);
        if (!next) return;
        await handle(deliveryOf(next));
        // one that waits for an upgrade comes again by itself
        from = next.seq + 1;
      } catch (error) {
        const what = 'what comes before a message cannot be read; the consumer waits until it can';
        if (!isTold) log.warn(what, { consumer, sequence, error });
        isTold = true;
        await pause(retryMilliseconds, undefined, { signal: stopping }).catch(() => undefined);
      }
    }
  }

  /** The first message that may have to be handled before this place, not before `from`. */
  async #nextBefore(sequence: number, from: number): Promise<StoredMsg | undefined> {
    const { sql, consumer, stream, streamCreated } = this.#options;
    const created = streamCreated();
    if (created === undefined) return undefined;
    let next = Math.max(from, (await handledUpTo(sql, consumer, created)) + 1);
    if (next >= sequence) return undefined;
    const { streams } = (this.#manager ??= await jetstreamManager(this.#options.nats, {
      checkAPI: false,
      timeout: 2_000,
    }));
    // what is before the first one has left with its time
    next = Math.max(next, (await streams.info(stream)).state.first_seq);
    for (; next < sequence; next++) {
      const message = await streams.getMessage(stream, { seq: next });
      if (message) return message;
    }
    return undefined;
  }
}

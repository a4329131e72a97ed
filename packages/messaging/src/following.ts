import { setTimeout as pause } from 'node:timers/promises';
import type { JsMsg } from '@nats-io/jetstream';
import type { Log } from '@sluice/service';
import type { Follows } from './consumer-options.ts';

/** how long a message waits at most, and for how long none waits after that, in milliseconds: above the time after which NATS delivers again */
const longestWait = 10_000;
const betweenLooks = 50;

/**
 * Holds messages back until another consumer has handled what was sent before them on its stream. A message stays in its own stream for
 * `settleMilliseconds` first, since the two streams are written independently of each other.
 */
export class Following {
  readonly #follows: Follows;
  readonly #log: Log;
  /** until when, by the clock of NATS, the other one is known to have handled everything */
  #handledUntil = 0;

  constructor(follows: Follows, log: Log) {
    this.#follows = follows;
    this.#log = log;
  }

  /** Each message when its turn has come, or handling is to stop. */
  async *of(messages: AsyncIterable<JsMsg>, stopping: AbortSignal): AsyncGenerator<JsMsg> {
    for await (const message of messages) {
      await this.#wait(message, stopping);
      yield message;
    }
  }

  async #wait(message: JsMsg, stopping: AbortSignal): Promise<void> {
    const { consumer, settleMilliseconds } = this.#follows;
    const time = message.time.getTime();
    const rest = settleMilliseconds - (Date.now() - time);
    if (rest > 0) await pauseUnless(stopping, Math.min(rest, settleMilliseconds));
    // half of it, so that one look serves the messages of the other half
    const needed = time + settleMilliseconds / 2;
    const deadline = performance.now() + longestWait;
    while (this.#handledUntil < needed && !stopping.aborted) {
      const until = await consumer.handledUntil().catch(() => undefined);
      if (until) this.#handledUntil = Math.max(this.#handledUntil, until.getTime());
      if (this.#handledUntil >= needed) return;
      if (performance.now() >= deadline) {
        this.#log.warn('messages do not wait any longer for those that were sent before on another stream');
        this.#handledUntil = Math.max(Date.now(), needed) + longestWait;
        return;
      }
      message.working();
      await pauseUnless(stopping, betweenLooks);
    }
  }
}

const pauseUnless = (signal: AbortSignal, milliseconds: number) =>
  pause(milliseconds, undefined, { signal }).catch(() => undefined);

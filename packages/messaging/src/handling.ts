import { setTimeout as pause } from 'node:timers/promises';
import { createBackoff } from '@sluice/system';
import { type Sql, system } from '@sluice/service';
import { leastRecentlyUsed } from '@sluice/system/least-recently-used';
import {
  beginAttempt,
  endAttempt,
  forgetAttempts,
  suspicionOf,
  type MessagePlace,
} from './attempts.store.ts';
import type { ConsumerMetrics } from './consumer-metrics.ts';
import type { ConsumerOptions, Received } from './consumer-options.ts';
import { aheadMilliseconds, moveToDeadLetters, sentMessageOf, type SentMessage } from './dead-letters.ts';
import type { Delivery } from './delivery.ts';
import { envelopeOf, type Envelope } from './envelope.ts';
import { retryDelay } from './errors.ts';
import { asPartOfItsTrace } from './message-trace.ts';
import type { Outgoing } from './outbox.ts';
import { Pauses } from './pauses.ts';
import type { NoteProgress } from './progress.store.ts';
import { RwLock } from './rw-lock.ts';
import { verdictOn, type Verdict } from './verdict.ts';

/** before the next attempts at a message whose failure says nothing of it, in milliseconds */
const pauses = { first: 50, cap: 5_000 };
/** processes that may end while they handle a message, and nothing else, before it is dead-lettered */
const mostEnded = 3;
/** for how long a message that may end the process is left to those behind it, in milliseconds */
const suspectMilliseconds = 2_000;
/** messages that a process remembers as logged */
const remembered = 10_000;

/** Handles the messages of a consumer, each to its end: effect, dead letter, or back to NATS for later. */
export class Handling<Handle extends Sql> {
  readonly pauses: Pauses;
  readonly #options: ConsumerOptions<Handle>;
  readonly #metrics: ConsumerMetrics;
  readonly #ackWaitMilliseconds: number;
  readonly #noteProgress: NoteProgress;
  readonly #lock = new RwLock();
  /** those that were logged and counted */
  readonly #notUnderstood = leastRecentlyUsed<string, true>(remembered);
  /** those behind which others have been let through */
  readonly #suspects = leastRecentlyUsed<string, true>(remembered);
  readonly #stopping = new AbortController();

  constructor(
    options: ConsumerOptions<Handle>,
    metrics: ConsumerMetrics,
    ackWaitMilliseconds: number,
    noteProgress: NoteProgress,
  ) {
    this.#options = options;
    this.#noteProgress = noteProgress;
    this.#metrics = metrics;
    this.#ackWaitMilliseconds = ackWaitMilliseconds;
    this.pauses = new Pauses(options.durable ?? options.name);
  }

  /** Begins no further attempt. */
  stop(): void {
    this.#stopping.abort();
  }

  /**
   * Handles one message. While something fails that says nothing of the message (a database that cannot be written to, a
   * mistake in the program) it is kept, and tried again.
   */
  async handle(message: Delivery): Promise<void> {
    // tells NATS that it is still being worked on
    const working = setInterval(() => stillWorking(message), this.#ackWaitMilliseconds / 3);
    const backoff = createBackoff(pauses);
    try {
      for (let attempt = 1; !this.#stopping.signal.aborted; attempt++) {
        try {
          await this.#attempt(message, attempt > 1 || message.info.deliveryCount > 1);
          this.#resume(message);
          return;
        } catch (error) {
          this.#pause(message, attempt, error);
        }
        await pause(backoff.next(), undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      }
      message.nak();
    } finally {
      this.pauses.end(this.#placeOf(message));
      this.#metrics.paused.set({ consumer: this.#durable }, this.pauses.count);
      clearInterval(working);
    }
  }

  /** @param again whether there was an attempt before, here or elsewhere. @throws what says nothing of the message */
  async #attempt(message: Delivery, again: boolean): Promise<void> {
    if (!again) return await this.#lock.shared(() => this.#take(message, false));
    const { sql, process } = this.#options;
    const place = this.#inDatabase(message);
    const { begun, isRequested } = await suspicionOf(sql, place, process);
    if (isRequested) return await this.#moveToDeadLetters(message, 'dead-lettered by an operator');
    if (begun >= mostEnded)
      return await this.#moveToDeadLetters(message, `${begun} processes have ended while they handled it`);
    if (begun > 0 && !this.#options.inOrder && !this.#suspects.get(place.storedAt)) {
      this.#suspects.set(place.storedAt, true);
      this.#tell('warn', 'a message may have ended a process; it is handled alone, after others', message);
      return message.nak(suspectMilliseconds);
    }
    const recorded = async () => {
      await beginAttempt(sql, place, process);
      await this.#take(message, true);
    };
    await (begun > 0 ? this.#lock.exclusive(recorded) : this.#lock.shared(recorded));
  }

  async #take(message: Delivery, isRecorded: boolean): Promise<void> {
    const ended = this.#metrics.handling.startTimer({ consumer: this.#options.name });
    try {
      await this.#apply(message, isRecorded);
      this.#metrics.handled.inc({ consumer: this.#options.name });
      ended({ outcome: 'done' });
      message.ack();
    } catch (error) {
      ended({ outcome: outcomes[verdictOn(error, ageOf(message))] });
      if (isRecorded) await endAttempt(this.#options.sql, this.#inDatabase(message));
      await this.#conclude(message, error);
    }
  }

  async #conclude(message: Delivery, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error);
    switch (verdictOn(error, ageOf(message))) {
      case 'poison':
        return await this.#moveToDeadLetters(message, reason);
      case 'later':
        return await this.#postpone(message, reason);
      case 'not understood':
        return await this.#waitForUpgrade(message, reason);
      case 'none':
        throw error;
    }
  }

  async #apply(message: Delivery, isRecorded: boolean): Promise<void> {
    const { name, work, handle, senderOf, stream, redrives } = this.#options;
    const sent = sentMessageOf(message, stream.name, redrives);
    const sender = await senderOf(sent);
    const envelope = envelopeOf(sent);
    const received: Received = {
      ...{ message: envelope, position: sent.sequence, sender },
      ...{ arrivedAt: sent.time, aheadMilliseconds: aheadMilliseconds(sent) },
    };
    const origin = { cause: { ...system.cause, correlation_id: envelope.correlation_id } };
    const effect = async (tx: Handle & Outgoing) => {
      const [isNew] = await tx.query(
        'INSERT INTO inbox (consumer, message_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1',
        [name, envelope.id],
      );
      if (isNew) await handle(envelope, tx, received);
      if (isRecorded) await forgetAttempts(tx, this.#inDatabase(message));
      await this.#noteProgress(tx, message.seq);
    };
    await asPartOfItsTrace(this.#options, message, envelope, () => work(origin, effect));
  }

  async #waitForUpgrade(message: Delivery, reason: string): Promise<void> {
    const { storedAt } = this.#inDatabase(message);
    if (!this.#notUnderstood.get(storedAt)) {
      this.#metrics.notUnderstood.inc({ consumer: this.#options.name });
      this.#tell('error', 'a message is not understood; it waits for an upgrade', message, { reason });
    }
    this.#notUnderstood.set(storedAt, true);
    const { notUnderstood } = this.#options;
    if (notUnderstood && ageOf(message) >= notUnderstood.afterMilliseconds) {
      const isDone = await this.#ofItsSender(message, notUnderstood.report);
      if (isDone) {
        await this.#noteProgress(this.#options.sql, message.seq);
        return message.ack();
      }
    }
    message.nak(retryDelay(ageOf(message)));
  }

  async #postpone(message: Delivery, reason: string): Promise<void> {
    const { giveUpAfterMilliseconds = Infinity } = this.#options;
    const age = ageOf(message);
    if (age >= giveUpAfterMilliseconds) return this.#moveToDeadLetters(message, `given up: ${reason}`);
    const pause_milliseconds = retryDelay(age);
    this.#tell('warn', 'a message is retried later', message, { reason, pause_milliseconds });
    message.nak(pause_milliseconds);
  }

  async #moveToDeadLetters(message: Delivery, reason: string): Promise<void> {
    const { name, sql } = this.#options;
    const { abandoned } = this.#options;
    if (abandoned) await this.#ofItsSender(message, (envelope, tx) => abandoned(envelope, tx, reason));
    await moveToDeadLetters(this.#options, this.#durable, message, this.#sentOf(message), reason);
    await this.#noteProgress(sql, message.seq);
    this.#metrics.deadLetters.inc({ consumer: name });
    this.#tell('error', 'a message became a dead letter', message, { reason });
    message.term();
    // what stays is pruned; the message does not come again
    await forgetAttempts(sql, this.#inDatabase(message)).catch(() => undefined);
  }

  /** Takes an effect of a message that was not handled; of one that is malformed, or not its sender's to send, none. */
  async #ofItsSender<Result>(
    message: Delivery,
    effect: (envelope: Envelope, tx: Handle & Outgoing) => Promise<Result>,
  ): Promise<Result | undefined> {
    const { work, senderOf, stream, redrives } = this.#options;
    let envelope: Envelope;
    try {
      const sent = sentMessageOf(message, stream.name, redrives);
      await senderOf(sent);
      envelope = envelopeOf(sent);
    } catch (error) {
      if (verdictOn(error) === 'none') throw error;
      return undefined;
    }
    const origin = { cause: { ...system.cause, correlation_id: envelope.correlation_id } };
    return await work(origin, (tx) => effect(envelope, tx));
  }

  #pause(message: Delivery, attempt: number, error: unknown): void {
    const isNew = this.pauses.begin(this.#placeOf(message), error);
    this.#metrics.paused.set({ consumer: this.#durable }, this.pauses.count);
    const what = 'a message could not be handled; the consumer waits until it can';
    this.#tell(isNew ? 'error' : 'warn', what, message, { attempt, error });
  }

  #resume(message: Delivery): void {
    const since = this.pauses.end(this.#placeOf(message));
    if (since) this.#tell('info', 'a consumer goes on', message, { paused_since: since.toISOString() });
  }

  #tell(level: 'error' | 'warn' | 'info', what: string, message: Delivery, more: object = {}): void {
    const { stream, log } = this.#options;
    const { subject, seq: sequence } = message;
    log[level](what, { consumer: this.#durable, stream: stream.name, sequence, subject, ...more });
  }

  get #durable(): string {
    return this.#options.durable ?? this.#options.name;
  }

  /** What was published, or where the headers do not say, the message as it came. */
  #sentOf(message: Delivery): Pick<SentMessage, 'stream' | 'sequence' | 'subject'> {
    const { stream, redrives } = this.#options;
    try {
      return sentMessageOf(message, stream.name, redrives);
    } catch {
      return { stream: stream.name, sequence: message.seq, subject: message.subject };
    }
  }

  /** For people. */
  #placeOf({ seq }: Delivery): string {
    return `${this.#options.stream.name} ${seq}`;
  }

  #inDatabase({ seq: sequence, timestampNanos }: Delivery): MessagePlace {
    return { consumer: this.#durable, sequence, storedAt: String(timestampNanos) };
  }
}

/** what an attempt that has thrown is called in the metrics */
const outcomes = {
  poison: 'dead_letter',
  later: 'later',
  'not understood': 'not_understood',
  none: 'failed',
} as const satisfies Record<Verdict, string>;

/** Milliseconds since NATS has stored it. */
const ageOf = (message: Delivery) => Math.max(Date.now() - message.time.getTime(), 0);

/** While the connection is closed nothing can be acknowledged: the message is then delivered again. */
export function stillWorking(message: Delivery): void {
  try {
    message.working();
  } catch {
    // nothing to be done
  }
}

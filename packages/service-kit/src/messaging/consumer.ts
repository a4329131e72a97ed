import { setTimeout as pause } from 'node:timers/promises';
import type { SignerName, StreamDeclaration, Topology } from '@sluice/contracts';
import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstream,
  jetstreamManager,
  type ConsumerInfo,
  type ConsumerMessages,
  type JetStreamManager,
  type JsMsg,
} from '@nats-io/jetstream';
import { headers as natsHeaders, nanos, type NatsConnection } from '@nats-io/transport-node';
import { LRUCache } from 'lru-cache';
import { Counter, type Registry } from 'prom-client';
import { z } from 'zod';
import { isTransient, sqlState, type Sql } from '../database/sql.ts';
import type { Log } from '../log.ts';
import { system } from '../origin.ts';
import { newContext, withContext } from '../request-context.ts';
import type { Outgoing, UnitOfWork } from './outbox.ts';
import type { SenderOf } from './signatures.ts';
import { NotUnderstood, PermanentError, RetryLater, retryDelay } from './errors.ts';
import { watchConnection } from './nats.ts';

/** What every message of Sluice carries, whatever else it says. */
const envelopeSchema = z.looseObject({
  id: z.uuid(),
  type: z.string(),
  correlation_id: z.uuid().nullable(),
});
export type Envelope = z.infer<typeof envelopeSchema>;

export interface ConsumerOptions<Handle extends Sql> {
  nats: NatsConnection;
  topology: Topology;
  stream: StreamDeclaration;
  /** durable name; also the name in the inbox */
  name: string;
  /** the subjects that this consumer gets, where it does not get all of the stream */
  filter?: string;
  work: UnitOfWork<Handle>;
  /**
   * Takes effect in `tx`, once per message. What it throws for bad content ends in the dead letters, a
   * `PermanentError` at once; after a `RetryLater` the message is retried later, after `NotUnderstood` until an upgrade
   * understands it. `position` is the message's in its stream: the order in which messages were published, however late
   * they are handled. `sender` has signed it, and may say it.
   */
  handle: (message: Envelope, tx: Handle & Outgoing, position: number, sender: SignerName) => Promise<void>;
  /** says whose word a message is, or throws a `PermanentError` */
  senderOf: SenderOf;
  /** attempts before a message becomes a dead letter */
  maxAttempts?: number;
  /** how long after its publication a message is retried for which the handler throws `RetryLater`; default: a day */
  retryForMilliseconds?: number;
  /** how many messages are handled at the same time, so that a slow one does not delay the others; 1 keeps order */
  concurrency?: number;
  /** after how long a message is delivered again that a killed process had fetched: 5 seconds */
  ackWaitMilliseconds?: number;
  /** how often to look whether NATS still has the consumer: every 2 seconds */
  lookEveryMilliseconds?: number;
  metrics: Registry;
  log: Log;
}

const batchSize = 20;
/** what is fetched is limited by itself; messages that wait for an upgrade or a mail server must hold nobody up */
const unlimited = -1;
/** pauses before the next attempts at the same message, in milliseconds */
const backoff = [50, 200, 1_000, 5_000];

/**
 * A durable, idempotent consumer. A message's effect and its id in the `inbox` are stored in one transaction, so it
 * has that effect once however often it is delivered. While the database is away messages wait; one that fails for
 * another reason becomes a dead letter after a bounded number of attempts and never blocks those behind it. A consumer
 * that NATS has lost is declared again, and goes on from the beginning of its stream.
 */
export class Consumer<Handle extends Sql> {
  readonly #options: ConsumerOptions<Handle>;
  readonly #ackWaitMilliseconds: number;
  readonly #deadLetters: Counter;
  readonly #handled: Counter;
  readonly #notUnderstood: Counter;
  /** those that have been told of and counted, by their place in the stream */
  readonly #waitingForUpgrade = new LRUCache<number, true>({ max: 10_000 });
  readonly #messages = new Set<ConsumerMessages>();
  #manager: JetStreamManager | undefined;
  /** when it was declared, as NATS writes it; undefined while NATS is not known to have it */
  #declared: string | undefined;
  /** whether that it cannot be declared has been told of in the log */
  #isMissing = false;
  #running: Promise<unknown> | undefined;
  #wait = new AbortController();
  #stopped = false;

  constructor(options: ConsumerOptions<Handle>) {
    this.#options = options;
    this.#ackWaitMilliseconds = options.ackWaitMilliseconds ?? 5_000;
    const registers = [options.metrics];
    this.#deadLetters = counter(
      registers,
      'sluice_dead_letters_total',
      'Messages that could not be handled and became dead letters',
    );
    this.#handled = counter(
      registers,
      'sluice_messages_handled_total',
      'Messages that have had their effect',
    );
    this.#notUnderstood = counter(
      registers,
      'sluice_messages_not_understood_total',
      'Messages that wait for a release that understands them; each counts once in a process',
    );
  }

  /** Declares the consumer and begins; where its stream is not there yet, as soon as it is. */
  async start(): Promise<void> {
    watchConnection(this.#options.nats, {
      lost: () => {
        this.#declared = undefined;
      },
      back: () => this.#wait.abort(),
    });
    await this.#look();
    const workers = Array.from({ length: this.#options.concurrency ?? 1 }, () => this.#run());
    this.#running = Promise.all([...workers, this.#keepLooking()]);
  }

  /** Stops fetching messages and waits for those that are being handled. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wait.abort();
    this.#restart();
    await this.#running;
  }

  /** Rejects while NATS is not known to have the consumer, for readiness. */
  async check(): Promise<void> {
    if (this.#declared === undefined) throw new Error(`${this.#options.name} does not get messages`);
  }

  async #keepLooking(): Promise<void> {
    while (!this.#stopped) {
      await this.#pause(this.#options.lookEveryMilliseconds ?? 2_000);
      if (!this.#stopped) await this.#look();
    }
  }

  /** Pauses until then, or until the connection is back, or the consumer is to stop. */
  async #pause(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal: this.#wait.signal }).catch(() => undefined);
    if (!this.#stopped) this.#wait = new AbortController();
  }

  /** Declares the consumer where NATS does not have it: what was asked of another one of that name is asked again. */
  async #look(): Promise<void> {
    const { name, log } = this.#options;
    const before = this.#declared;
    try {
      const { created } = (await this.#find()) ?? (await this.#declare());
      this.#declared = created;
      this.#isMissing = false;
      if (created === before) return;
      log.info('a consumer is there', { consumer: name, created });
      this.#restart();
    } catch (error) {
      this.#declared = undefined;
      if (!this.#isMissing)
        log.warn('a consumer cannot be declared; it is tried until it can', { consumer: name, error });
      this.#isMissing = true;
    }
  }

  /** The consumer as NATS has it, unless it has to be declared. */
  async #find(): Promise<ConsumerInfo | undefined> {
    const { nats, stream, name, log } = this.#options;
    this.#manager ??= await jetstreamManager(nats, { checkAPI: false, timeout: 2_000 });
    const { consumers, streams } = this.#manager;
    try {
      const info = await consumers.info(stream.name, name);
      const { state } = await streams.info(stream.name);
      if (info.delivered.stream_seq <= state.last_seq) return await this.#adapted(info);
      // restored from older data than the consumer: NATS would pass over what takes the places of lost messages
      log.warn('a consumer was ahead of its stream; it begins anew', { consumer: name });
      await consumers.delete(stream.name, name);
    } catch (error) {
      if (!isMissingConsumer(error)) throw error;
    }
    return undefined;
  }

  /** A release may want it otherwise than the one before it. */
  async #adapted(info: ConsumerInfo): Promise<ConsumerInfo> {
    const { stream, name, filter = '' } = this.#options;
    const { filter_subject = '', max_ack_pending } = info.config;
    if ((filter_subject === filter && max_ack_pending === unlimited) || !this.#manager) return info;
    return await this.#manager.consumers.update(stream.name, name, {
      ...(filter_subject !== filter && { filter_subject: filter }),
      max_ack_pending: unlimited,
    });
  }

  async #declare(): Promise<ConsumerInfo> {
    const { nats, stream, name, filter } = this.#options;
    this.#manager ??= await jetstreamManager(nats, { checkAPI: false, timeout: 2_000 });
    return await this.#manager.consumers.add(stream.name, {
      durable_name: name,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(this.#ackWaitMilliseconds),
      max_deliver: -1,
      max_ack_pending: unlimited,
      ...(filter && { filter_subject: filter }),
    });
  }

  /** Ends what is being fetched; workers that are not to stop fetch again. */
  #restart(): void {
    for (const messages of this.#messages) messages.stop();
  }

  async #run(): Promise<void> {
    const { name, log } = this.#options;
    while (!this.#stopped) {
      let messages: ConsumerMessages | undefined;
      try {
        messages = await this.#fetch();
        this.#messages.add(messages);
        if (this.#stopped) messages.stop();
        for await (const message of messages) {
          // what has been fetched but not handled goes to another replica at once
          if (this.#stopped) message.nak();
          else await this.#process(message);
        }
      } catch (error) {
        if (this.#stopped) return;
        if (!this.#isMissing)
          log.warn('a consumer lost its stream; it starts again', { consumer: name, error });
        this.#wait.abort();
        await pause(500);
      } finally {
        messages?.stop();
        if (messages) this.#messages.delete(messages);
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

  /** Handles one message to the end: effect, dead letter, or back to NATS for later. */
  async #process(message: JsMsg): Promise<void> {
    const { name, log, maxAttempts = 8 } = this.#options;
    // tells NATS that a long-lasting attempt is still being worked on
    const working = setInterval(() => stillWorking(message), this.#ackWaitMilliseconds / 3);
    try {
      // counted here: the deliveries that NATS counts also grow while a fetched message waits for the database to return
      let attempt = 1;
      while (!this.#stopped) {
        try {
          await this.#apply(message);
          this.#handled.inc({ consumer: name });
          return message.ack();
        } catch (error) {
          if (error instanceof NotUnderstood) return this.#waitForUpgrade(message, error.message);
          if (error instanceof RetryLater) return await this.#postpone(message, error.message);
          const transient = isTransient(error);
          log.warn('a message could not be handled', {
            consumer: name,
            subject: message.subject,
            attempt,
            transient,
            error,
          });
          if (isPermanent(error) || (!transient && ++attempt > maxAttempts))
            return await this.#moveToDeadLetters(
              message,
              error instanceof PermanentError ? error.message : String(error),
            );
          await pause(backoff[Math.min(attempt, backoff.length - 1)] ?? 1_000);
        }
      }
      message.nak();
    } finally {
      clearInterval(working);
    }
  }

  async #apply(message: JsMsg): Promise<void> {
    const { name, work, handle, senderOf } = this.#options;
    const sender = await senderOf(message);
    const envelope = envelopeSchema.parse(message.json());
    const origin = { cause: { ...system.cause, correlation_id: envelope.correlation_id } };
    const context = newContext(message.headers?.get('traceparent'), envelope.correlation_id);
    await withContext(context, () =>
      work(origin, async (tx) => {
        const [isNew] = await tx.query(
          'INSERT INTO inbox (consumer, message_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1',
          [name, envelope.id],
        );
        if (isNew) await handle(envelope, tx, message.seq, sender);
      }),
    );
  }

  #waitForUpgrade(message: JsMsg, reason: string): void {
    const { name: consumer, stream, log } = this.#options;
    const { subject, seq: sequence } = message;
    if (!this.#waitingForUpgrade.get(sequence)) {
      this.#notUnderstood.inc({ consumer });
      log.error('a message is not understood; it waits for an upgrade', {
        ...{ consumer, stream: stream.name, sequence, subject, reason },
      });
    }
    this.#waitingForUpgrade.set(sequence, true);
    message.nak(retryDelay(ageOf(message)));
  }

  async #postpone(message: JsMsg, reason: string): Promise<void> {
    const { name, retryForMilliseconds = 24 * 60 * 60 * 1000, log } = this.#options;
    const age = ageOf(message);
    if (age >= retryForMilliseconds) return this.#moveToDeadLetters(message, `given up: ${reason}`);
    const pauseMilliseconds = retryDelay(age);
    log.warn('a message is retried later', {
      consumer: name,
      subject: message.subject,
      sequence: message.seq,
      reason,
      pause_milliseconds: pauseMilliseconds,
    });
    message.nak(pauseMilliseconds);
  }

  async #moveToDeadLetters(message: JsMsg, reason: string): Promise<void> {
    const { nats, topology, stream, name, log } = this.#options;
    const header = natsHeaders();
    header.set('Sluice-Stream', stream.name);
    header.set('Sluice-Sequence', String(message.seq));
    header.set('Sluice-Subject', message.subject);
    header.set('Sluice-Reason', reason.replaceAll(/[\r\n]+/g, ' ').slice(0, 500));
    await jetstream(nats).publish(topology.subjects.deadLetter(name), message.data, {
      headers: header,
      // a stream that was made anew counts from the beginning
      msgID: `${stream.name}-${name}-${message.seq}-${message.timestampNanos}`,
    });
    this.#deadLetters.inc({ consumer: name });
    log.error('a message became a dead letter', {
      consumer: name,
      subject: message.subject,
      sequence: message.seq,
      reason,
    });
    message.term();
  }
}

/** Milliseconds since NATS has stored it. */
const ageOf = (message: JsMsg) => Math.max(Date.now() - message.time.getTime(), 0);

/** While the connection is closed there is nobody to tell: the message is then delivered again. */
function stillWorking(message: JsMsg): void {
  try {
    message.working();
  } catch {
    // nothing to be done
  }
}

/** Content of another shape, or of a value that PostgreSQL cannot hold (class 22): no later attempt can succeed. */
function isPermanent(error: unknown): boolean {
  return (
    error instanceof PermanentError ||
    error instanceof z.ZodError ||
    error instanceof SyntaxError ||
    sqlState(error)?.startsWith('22') === true
  );
}

function isMissingConsumer(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.ConsumerNotFound;
}

/** A service may have several consumers; they share the metric and differ by its label. */
function counter(registers: Registry[], name: string, help: string): Counter {
  const existing = registers[0]?.getSingleMetric(name);
  if (existing instanceof Counter) return existing;
  return new Counter({ name, help, labelNames: ['consumer'], registers });
}

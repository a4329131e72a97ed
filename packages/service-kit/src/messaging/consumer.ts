import { setTimeout as pause } from 'node:timers/promises';
import type { SignerName, StreamDeclaration, Topology } from '@sluice/contracts';
import {
  AckPolicy,
  DeliverPolicy,
  jetstream,
  jetstreamManager,
  type ConsumerMessages,
  type JsMsg,
} from '@nats-io/jetstream';
import { headers as natsHeaders, nanos, type NatsConnection } from '@nats-io/transport-node';
import { Counter, type Registry } from 'prom-client';
import { z } from 'zod';
import { isTransient, sqlState, type Sql } from '../database/sql.ts';
import type { Log } from '../log.ts';
import { system } from '../origin.ts';
import { newContext, withContext } from '../request-context.ts';
import type { Outgoing, UnitOfWork } from './outbox.ts';
import type { SenderOf } from './signatures.ts';
import { PermanentError, RetryLater, retryDelay } from './errors.ts';

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
   * `PermanentError` at once; after a `RetryLater` the message is retried later. `position` is the message's in its
   * stream: the order in which messages were published, however late they are handled. `sender` has signed it, and may say it.
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
  metrics: Registry;
  log: Log;
}

const batchSize = 20;
/** pauses before the next attempts at the same message, in milliseconds */
const backoff = [50, 200, 1_000, 5_000];

/**
 * A durable, idempotent consumer. A message's effect and its id in the `inbox` are stored in one transaction, so it
 * has that effect once however often it is delivered. While the database is away messages wait; one that fails for
 * another reason becomes a dead letter after a bounded number of attempts and never blocks those behind it.
 */
export class Consumer<Handle extends Sql> {
  readonly #options: ConsumerOptions<Handle>;
  readonly #ackWaitMilliseconds: number;
  readonly #deadLetters: Counter;
  readonly #handled: Counter;
  readonly #messages = new Set<ConsumerMessages>();
  #running: Promise<unknown> | undefined;
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
  }

  async start(): Promise<void> {
    await this.#declare();
    const workers = Array.from({ length: this.#options.concurrency ?? 1 }, () => this.#run());
    this.#running = Promise.all(workers);
  }

  /** Stops fetching messages and waits for those that are being handled. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const messages of this.#messages) messages.stop();
    await this.#running;
  }

  async #declare(): Promise<void> {
    const { nats, stream, name, filter } = this.#options;
    const manager = await jetstreamManager(nats);
    await manager.consumers.add(stream.name, {
      durable_name: name,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(this.#ackWaitMilliseconds),
      max_deliver: -1,
      max_ack_pending: 1_000,
      ...(filter && { filter_subject: filter }),
    });
  }

  async #run(): Promise<void> {
    const { nats, stream, name, concurrency = 1, log } = this.#options;
    while (!this.#stopped) {
      let messages: ConsumerMessages | undefined;
      try {
        const consumer = await jetstream(nats).consumers.get(stream.name, name);
        // a message fetched behind a slow one would wait, though another worker is idle
        const maxMessages = concurrency > 1 ? 1 : batchSize;
        messages = await consumer.consume({
          max_messages: maxMessages,
          expires: 10_000,
          abort_on_missing_resource: true,
        });
        this.#messages.add(messages);
        if (this.#stopped) messages.stop();
        for await (const message of messages) {
          // what has been fetched but not handled goes to another replica at once
          if (this.#stopped) message.nak();
          else await this.#process(message);
        }
      } catch (error) {
        if (this.#stopped) return;
        log.warn('a consumer lost its stream; it starts again', { consumer: name, error });
        await pause(500);
        await this.#declare().catch(() => undefined);
      } finally {
        if (messages) this.#messages.delete(messages);
      }
    }
  }

  /** Handles one message to the end: effect, dead letter, or back to NATS for later. */
  async #process(message: JsMsg): Promise<void> {
    const { name, log, maxAttempts = 8 } = this.#options;
    // tells NATS that a long-lasting attempt is still being worked on
    const working = setInterval(() => message.working(), this.#ackWaitMilliseconds / 3);
    try {
      // counted here: the deliveries that NATS counts also grow while a fetched message waits for the database to return
      let attempt = 1;
      while (!this.#stopped) {
        try {
          await this.#apply(message);
          this.#handled.inc({ consumer: name });
          return message.ack();
        } catch (error) {
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

  async #postpone(message: JsMsg, reason: string): Promise<void> {
    const { name, retryForMilliseconds = 24 * 60 * 60 * 1000, log } = this.#options;
    const age = Math.max(Date.now() - message.time.getTime(), 0);
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
      msgID: `${stream.name}-${name}-${message.seq}`,
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

/** Content of another shape, or of a value that PostgreSQL cannot hold (class 22): no later attempt can succeed. */
function isPermanent(error: unknown): boolean {
  return (
    error instanceof PermanentError ||
    error instanceof z.ZodError ||
    error instanceof SyntaxError ||
    sqlState(error)?.startsWith('22') === true
  );
}

/** A service may have several consumers; they share the metric and differ by its label. */
function counter(registers: Registry[], name: string, help: string): Counter {
  const existing = registers[0]?.getSingleMetric(name);
  if (existing instanceof Counter) return existing;
  return new Counter({ name, help, labelNames: ['consumer'], registers });
}

import { isSigned, type Sign } from '@sluice/contracts';
import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { errors, headers as natsHeaders, type NatsConnection } from '@nats-io/transport-node';
import { traced } from '@sluice/system/tracing';
import type pg from 'pg';
import type { Counter } from '@prometheus-io/client';
import { inTransaction, sqlOf, takeTime, type Sql, type Log } from '@sluice/service';
import {
  hasLost,
  keepAsSent,
  makeDeadLetter,
  oldestRows,
  passBy,
  sendLostAgain,
  sendReplacedAgain,
  tryRelayLock,
  waitForRelayLock,
  type OutboxRow,
  type Sent,
} from './outbox.store.ts';
import { sentAtHeader } from './dead-letters.ts';
import { reasonOf, refusalOf } from './refusal.ts';
import { signatureHeader } from './signatures.ts';
import type { StreamState } from './streams.ts';

export interface StreamRelayOptions {
  pool: pg.Pool;
  nats: NatsConnection;
  /** by the service's own key */
  sign: Sign;
  /** the second token of the subjects that this one relays */
  kind: string;
  /** whether it has to be known which stream NATS has now, before anything is sent to it */
  isDeclared: boolean;
  /** aborted when the connection to NATS is lost; another one once it is back */
  connected: () => AbortSignal;
  relayed: Counter;
  log: Log;
  /** refusals of a message that NATS cannot take as it is, before it becomes a dead letter */
  maxRefusals?: number;
}

/** What came of the messages of one ordering key. */
interface Outcome {
  sent: Sent[];
  refused?: { row: OutboxRow; error: unknown };
}

/** for how long a batch goes on, and NATS has for an answer: both together before the database takes the lock away */
const batchMilliseconds = 2_000;
const answerMilliseconds = 3_000;
/** how long a replica whose NATS has not answered leaves the lock to others */
const restMilliseconds = 5_000;
const shortestPause = 500;
const longestPause = 60_000;
/** what a server may not have written to its disk when it ends: it does so every two minutes */
const unsyncedSeconds = 120;

/**
 * Sends what stands in the outbox for one stream, oldest first, the messages of one ordering key one after the other.
 * An advisory lock lets one replica at a time work. Should a replica go on that has lost it, nothing comes in another
 * order for that: a message is sent once the one before it was acknowledged, and one that comes twice is recognised.
 */
export class StreamRelay {
  readonly #options: StreamRelayOptions;
  readonly #jetstream: JetStreamClient;
  #manager: JetStreamManager | undefined;
  #draining: Promise<void> | undefined;
  #wakeRequested = false;
  /** when the stream was made into which is sent now; undefined until it has been compared with what was sent */
  #created: string | undefined;
  /** how often it has been forgotten */
  #forgotten = 0;
  #restsUntil = 0;
  /** messages of so many seconds are sent again, even if the stream says that it has them */
  #distrustedSeconds = 0;
  #stopped = false;

  constructor(options: StreamRelayOptions) {
    this.#options = options;
    this.#jetstream = jetstream(options.nats, { timeout: answerMilliseconds });
  }

  /** Sends what is there; a call during a run makes that run look once more. */
  wake(): void {
    if (!this.#maySend) return;
    this.#wakeRequested = true;
    this.#draining ??= this.#drain();
  }

  /** Resolves when nothing is being sent. */
  async idle(): Promise<void> {
    await this.#draining;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#draining;
  }

  /** Sends nothing more until the stream has been compared: it may be another one next time. */
  forgetStream(): void {
    this.#created = undefined;
    this.#forgotten += 1;
  }

  /** @param isAnotherServer which may lack messages whose places in the stream others have taken already */
  reconnected(isAnotherServer: boolean): void {
    this.forgetStream();
    this.#restsUntil = 0;
    if (isAnotherServer) this.#distrustedSeconds = unsyncedSeconds;
  }

  /**
   * Compares what was sent with the stream as NATS has it. What it has lost waits again, before anything else is sent.
   * @throws Error when database or NATS do not answer; nothing is sent until it has been compared
   */
  async compare(stream: StreamState): Promise<void> {
    const { pool } = this.#options;
    const forgotten = this.#forgotten;
    const isWhole = this.#distrustedSeconds === 0 && !(await hasLost(sqlOf(pool), stream));
    const created = isWhole ? stream.created : await this.#sendLostAgain(stream.name);
    // what has been forgotten meanwhile may be another stream by now
    if (forgotten !== this.#forgotten) return;
    this.#created = created;
    this.wake();
  }

  /** @returns when the stream was made */
  async #sendLostAgain(name: string): Promise<string> {
    const { pool, nats, kind, log } = this.#options;
    this.#manager ??= await jetstreamManager(nats, { checkAPI: false, timeout: answerMilliseconds });
    const { streams } = this.#manager;
    const found = await inTransaction(pool, async (sql) => {
      await waitForRelayLock(sql, kind);
      // three days of messages may have to be moved
      await takeTime(sql);
      // asked with the lock: another relay may have sent more since it was looked at
      const { created, state } = await streams.info(name);
      const stream = { name, created, lastSequence: state.last_seq };
      const count = await sendLostAgain(sql, stream, this.#distrustedSeconds);
      if (count > 0) log.warn('what a stream has lost is sent again', { stream: name, created, count });
      return created;
    });
    this.#distrustedSeconds = 0;
    return found;
  }

  get #maySend(): boolean {
    const { isDeclared, connected } = this.#options;
    if (this.#stopped || connected().aborted || performance.now() < this.#restsUntil) return false;
    return !isDeclared || this.#created !== undefined;
  }

  async #drain(): Promise<void> {
    const { pool, kind, log } = this.#options;
    try {
      while (this.#wakeRequested) {
        this.#wakeRequested = false;
        while (this.#maySend && (await inTransaction(pool, (sql) => this.#sendBatch(sql))));
      }
    } catch (error) {
      log.warn('the outbox could not be sent; it will be tried again', { stream_kind: kind, error });
    } finally {
      // in the same tick as the loop's last check, so that a later wake-up starts another run
      this.#draining = undefined;
    }
  }

  /** @returns whether there may be more to send */
  async #sendBatch(sql: Sql): Promise<boolean> {
    const { kind, relayed } = this.#options;
    // known before anything is sent: what goes into a stream made since then is sent once too often, never once too little
    const created = this.#created ?? '';
    const forgotten = this.#forgotten;
    if (!(await tryRelayLock(sql, kind))) return false;
    const batch = await oldestRows(sql, kind);
    if (batch.length === 0) return false;
    const deadline = performance.now() + batchMilliseconds;
    // a stream that is forgotten meanwhile has to be compared first
    const mayGoOn = () => forgotten === this.#forgotten && performance.now() < deadline;
    const byKey = Map.groupBy(batch, ({ ordering_key }) => ordering_key);
    const outcomes = await Promise.all(
      [...byKey.values()].map((messages) => this.#sendInOrder(messages, mayGoOn)),
    );
    const sent = outcomes.flatMap((outcome) => outcome.sent);
    if (sent.length > 0) await this.#keep(sql, sent, created);
    relayed.inc(sent.length);
    return await this.#settle(
      sql,
      outcomes.flatMap(({ refused }) => refused ?? []),
    );
  }

  async #keep(sql: Sql, sent: Sent[], created: string): Promise<void> {
    const { kind, log } = this.#options;
    await keepAsSent(sql, sent, created);
    const count = await sendReplacedAgain(sql, sent, created);
    if (count > 0)
      log.warn('a stream was set back; what it has lost is sent again', { stream_kind: kind, count });
  }

  /** Sends messages of one ordering key until one fails, or it may not go on. */
  async #sendInOrder(messages: readonly OutboxRow[], mayGoOn: () => boolean): Promise<Outcome> {
    const sent: Sent[] = [];
    for (const row of messages) {
      if (!mayGoOn()) break;
      try {
        sent.push(await this.#whileConnected(() => this.#publish(row)));
      } catch (error) {
        return { sent, refused: { row, error } };
      }
    }
    return { sent };
  }

  /** Publishes a row as a part of the trace of what has stored it, whenever that was. */
  #publish(row: OutboxRow): Promise<Sent> {
    const parent = row.headers['traceparent'];
    if (parent === undefined) return this.#send(row);
    const attributes = {
      'messaging.system': 'nats',
      'messaging.destination.name': row.subject,
      'messaging.message.id': row.message_id,
    };
    return traced(`publish ${this.#options.kind}`, { kind: 'producer', parent, attributes }, (span) =>
      this.#send(row, span?.traceparent),
    );
  }

  async #send(row: OutboxRow, traceparent?: string): Promise<Sent> {
    const { id, message_id, subject, headers, payload } = row;
    const header = natsHeaders();
    for (const [name, value] of Object.entries(headers)) header.set(name, value);
    if (traceparent !== undefined) header.set('traceparent', traceparent);
    if (isSigned(subject)) header.set(signatureHeader, await this.#options.sign(subject, payload));
    header.set(sentAtHeader, new Date().toISOString());
    const { stream, seq, duplicate } = await this.#jetstream.publish(subject, payload, {
      msgID: message_id,
      headers: header,
    });
    return { id, stream, sequence: seq, isNew: !duplicate };
  }

  async #whileConnected<T>(step: () => Promise<T>): Promise<T> {
    const signal = this.#options.connected();
    signal.throwIfAborted();
    const lost = Promise.withResolvers<never>();
    const giveUp = () => lost.reject(signal.reason);
    signal.addEventListener('abort', giveUp);
    try {
      return await Promise.race([step(), lost.promise]);
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** Decides about messages that NATS has not taken. @returns whether others can be sent */
  async #settle(sql: Sql, refused: NonNullable<Outcome['refused']>[]): Promise<boolean> {
    const { kind, log } = this.#options;
    let goesOn = true;
    for (const { row, error } of refused) {
      const verdict = refusalOf(error);
      if (verdict === 'stream away') goesOn = false;
      else await this.#refuse(sql, row, verdict, error);
    }
    const away = refused.find(({ error }) => refusalOf(error) === 'stream away');
    if (!away) return goesOn;
    log.warn('NATS did not take a message; it stays in the outbox', { stream_kind: kind, error: away.error });
    if (reasonOf(away.error) instanceof errors.TimeoutError)
      this.#restsUntil = performance.now() + restMilliseconds;
    else this.forgetStream();
    return goesOn;
  }

  async #refuse(sql: Sql, row: OutboxRow, verdict: 'wrong' | 'held up', error: unknown): Promise<void> {
    const { log, maxRefusals = 8 } = this.#options;
    const { id, message_id, ordering_key, subject } = row;
    const message = { message_id, ordering_key, subject, attempt: row.refusals + 1, error };
    if (verdict === 'wrong' && row.refusals + 1 >= maxRefusals) {
      await makeDeadLetter(sql, id, String(error).slice(0, 500));
      log.error('NATS refuses a message for good; it became a dead letter of the outbox', message);
      return;
    }
    const pause = Math.min(shortestPause * 2 ** Math.min(row.refusals, 20), longestPause);
    await passBy(sql, id, pause);
    log.warn('NATS refuses a message; those behind it with its ordering key wait', message);
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Sign } from '@sluice/contracts';
import { jetstream, JetStreamApiError, type JetStreamClient } from '@nats-io/jetstream';
import { errors, headers as natsHeaders, type NatsConnection } from '@nats-io/transport-node';
import type pg from 'pg';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Notifications } from '../database/notifications.ts';
import { inTransaction, sqlOf } from '../database/postgres.ts';
import type { Sql } from '../database/sql.ts';
import type { Log } from '../log.ts';
import { signatureHeader } from './signatures.ts';

export interface RelayOptions {
  pool: pg.Pool;
  notifications: Notifications;
  nats: NatsConnection;
  metrics: Registry;
  log: Log;
  /** by the service's own key */
  sign: Sign;
  /** how often to look without having been notified, in milliseconds */
  pollMilliseconds?: number;
}

interface OutboxRow {
  id: number;
  message_id: string;
  ordering_key: string;
  subject: string;
  headers: Record<string, string>;
  payload: string;
}

const batchSize = 200;
/** identifies the relay among the advisory locks of a database */
const relayLock = 0x51_0b_0c_5e;

/**
 * Sends what stands in the outbox, oldest first. Each replica runs one; an advisory lock lets one at a time work. A
 * message leaves the table only when NATS has stored it; one sent twice is recognised by its id.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #jetstream: JetStreamClient;
  readonly #relayed: Counter;
  #draining: Promise<void> | undefined;
  #wakeRequested = false;
  /** aborted when the connection to NATS is lost, and another one once it is back */
  #connected = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#jetstream = jetstream(options.nats, { timeout: 5_000 });
    this.#relayed = new Counter({
      name: 'sluice_outbox_relayed_total',
      help: 'Messages that the relay has handed to NATS',
      registers: [options.metrics],
    });
    const sql = sqlOf(options.pool);
    new Gauge({
      name: 'sluice_outbox_waiting',
      help: 'Messages that wait in the outbox',
      registers: [options.metrics],
      async collect() {
        const [row] = await sql.query<{ count: number }>('SELECT count(*) FROM outbox').catch(() => []);
        if (row) this.set(row.count);
      },
    });
  }

  async start(): Promise<void> {
    void this.#watchConnection();
    await this.#options.notifications.listen('outbox', () => this.wake());
    this.#timer = setInterval(() => this.wake(), this.#options.pollMilliseconds ?? 1_000);
    this.wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#draining;
  }

  /** Sends what is there; a call during a run makes that run look once more. */
  wake(): void {
    if (this.#stopped) return;
    this.#wakeRequested = true;
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined;
    });
  }

  /**
   * Resolves when these rows of the outbox have been sent, by whichever replica.
   * @returns false when they still wait at the deadline
   */
  async waitUntilSent(ids: readonly number[], milliseconds: number): Promise<boolean> {
    const deadline = performance.now() + milliseconds;
    const sql = sqlOf(this.#options.pool);
    while (performance.now() < deadline) {
      this.wake();
      await this.#draining;
      const [row] = await sql.query('SELECT 1 FROM outbox WHERE id = ANY ($1) LIMIT 1', [ids]);
      if (!row) return true;
      await pause(this.#connected.signal.aborted ? 100 : 5);
    }
    return false;
  }

  /** Lets go of the lock, and leaves it alone, while NATS is away: another replica may reach it. */
  async #watchConnection(): Promise<void> {
    for await (const { type } of this.#options.nats.status()) {
      if (type === 'disconnect') this.#connected.abort(new Error('the connection to NATS was lost'));
      if (type === 'reconnect') {
        this.#connected = new AbortController();
        this.wake();
      }
    }
  }

  async #drain(): Promise<void> {
    try {
      while (this.#wakeRequested && !this.#stopped && !this.#connected.signal.aborted) {
        this.#wakeRequested = false;
        const refusedKeys = new Set<string>();
        while (await inTransaction(this.#options.pool, (sql) => this.#sendBatch(sql, refusedKeys)));
      }
    } catch (error) {
      this.#options.log.warn('the outbox could not be sent; it will be tried again', { error });
    }
  }

  /**
   * Sends the oldest messages, but none of `refusedKeys`, to which it adds those of which NATS refuses a message: what
   * waits behind it must not keep messages of other keys from being looked at.
   * @returns whether there may be more to send
   */
  async #sendBatch(sql: Sql, refusedKeys: Set<string>): Promise<boolean> {
    const [lock] = await sql.query<{ mine: boolean }>(
      'SELECT pg_try_advisory_xact_lock($1::bigint) AS mine',
      [relayLock],
    );
    if (!lock?.mine) return false;
    const batch = await sql.query<OutboxRow>(
      `SELECT id, message_id, ordering_key, subject, headers, payload FROM outbox
       WHERE ordering_key <> ALL ($1::text[]) ORDER BY id LIMIT $2`,
      [[...refusedKeys], batchSize],
    );
    const byKey = [...Map.groupBy(batch, ({ ordering_key }) => ordering_key)];
    const outcomes = await Promise.all(
      byKey.map(async ([key, messages]) => ({ key, ...(await this.#sendInOrder(messages)) })),
    );
    const sent = outcomes.flatMap((outcome) => outcome.sent);
    if (sent.length > 0) await sql.query('DELETE FROM outbox WHERE id = ANY ($1)', [sent]);
    this.#relayed.inc(sent.length);
    const failures = outcomes.filter(({ error }) => error !== undefined);
    if (failures[0])
      this.#options.log.warn('NATS did not take a message; it stays in the outbox', {
        error: failures[0].error,
      });
    for (const { key } of failures) refusedKeys.add(key);
    return batch.length === batchSize && failures.every(({ error }) => isRefusal(error));
  }

  /** Sends messages of one ordering key until one fails. */
  async #sendInOrder(messages: OutboxRow[]): Promise<{ sent: number[]; error?: unknown }> {
    const sent: number[] = [];
    for (const { id, message_id, subject, headers, payload } of messages) {
      const header = natsHeaders();
      for (const [name, value] of Object.entries(headers)) header.set(name, value);
      try {
        header.set(signatureHeader, await this.#options.sign(subject, payload));
        await this.#whileConnected(() =>
          this.#jetstream.publish(subject, payload, { msgID: message_id, headers: header }),
        );
        sent.push(id);
      } catch (error) {
        return { sent, error };
      }
    }
    return { sent };
  }

  async #whileConnected(step: () => Promise<unknown>): Promise<void> {
    const { signal } = this.#connected;
    signal.throwIfAborted();
    const lost = Promise.withResolvers<never>();
    const giveUp = () => lost.reject(signal.reason);
    signal.addEventListener('abort', giveUp);
    try {
      await Promise.race([step(), lost.promise]);
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }
}

/** Whether NATS has refused this very message, or cannot take it, rather than not answered. */
function isRefusal(error: unknown): boolean {
  return error instanceof JetStreamApiError || error instanceof errors.InvalidArgumentError;
}

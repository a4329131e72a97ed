import { setTimeout as pause } from 'node:timers/promises';
import type { StreamDeclaration } from '@sluice/contracts';
import type { NatsConnection } from '@nats-io/transport-node';
import type pg from 'pg';
import { Counter, type Registry } from '@prometheus-io/client';
import { type Notifications, sqlOf, type Log, figures, withoutContext } from '@sluice/service';
import { watchConnection } from './nats.ts';
import { isUnsent, measureOutbox, streamKindOf, waitingKinds } from './outbox.store.ts';
import { StreamRelay, type StreamRelayOptions } from './stream-relay.ts';
import type { StreamState } from './streams.ts';

export interface RelayOptions extends Pick<StreamRelayOptions, 'sign' | 'maxRefusals'> {
  pool: pg.Pool;
  notifications: Notifications;
  nats: NatsConnection;
  metrics: Registry;
  log: Log;
  /** to which nothing is sent before `compare` was called, and again after each loss of the connection */
  streams?: readonly StreamDeclaration[];
  /** how often to look without having been notified, in milliseconds */
  pollMilliseconds?: number;
  /** for how long a measurement of the outbox is reused, in milliseconds */
  figuresKept?: number;
}

/**
 * Sends what stands in the outbox, for each stream by itself (`StreamRelay`). A message leaves the table only when NATS
 * has stored it, and is kept for some days, to be sent again should NATS lose it; one sent twice is recognised by its id.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #relayed: Counter;
  /** by kind of stream */
  readonly #relays = new Map<string, StreamRelay>();
  readonly #declared: Map<string, string>;
  #looking: Promise<void> | undefined;
  #wakeRequested = false;
  /** aborted when the connection to NATS is lost, and another one once it is back */
  #connected = new AbortController();
  #server: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#declared = new Map(
      options.streams?.map(({ name, subjects: [subject = ''] }) => [name, streamKindOf(subject)]),
    );
    this.#server = options.nats.info?.server_id;
    this.#relayed = new Counter({
      name: 'sluice_outbox_relayed_total',
      help: 'Messages that the relay has handed to NATS',
      registers: [options.metrics],
    });
    tellOutbox(options);
  }

  async start(): Promise<void> {
    watchConnection(this.#options.nats, {
      lost: () => this.#connected.abort(new Error('the connection to NATS was lost')),
      back: () => this.#reconnected(),
    });
    await this.#options.notifications.listen('outbox', () => this.wake());
    this.#timer = setInterval(() => this.wake(), this.#options.pollMilliseconds ?? 1_000);
    this.wake();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#looking;
    await Promise.all([...this.#relays.values()].map((relay) => relay.stop()));
  }

  /** Sends what is there; a call during a run makes that run look once more. */
  wake(): void {
    if (this.#stopped || this.#connected.signal.aborted) return;
    this.#wakeRequested = true;
    this.#looking ??= withoutContext(() => this.#look());
  }

  /** Has to be called whenever a stream was looked at: what it has lost is sent again. */
  compare(stream: StreamState): void {
    const kind = this.#declared.get(stream.name);
    if (kind === undefined || this.#stopped) return;
    this.#relayOf(kind)
      .compare(stream)
      .catch((error: unknown) => {
        if (!this.#stopped)
          this.#options.log.warn('it could not be found out what a stream has lost', {
            stream: stream.name,
            error,
          });
      });
  }

  /** Has to be called for a stream that is not there: nothing is sent to it until it has been compared. */
  forget(stream: string): void {
    const kind = this.#declared.get(stream);
    if (kind !== undefined) this.#relayOf(kind).forgetStream();
  }

  /**
   * Resolves when these rows of the outbox have been sent, by whichever replica.
   * @returns false when they still wait at the deadline, or that cannot be found out
   */
  async waitUntilSent(ids: readonly number[], milliseconds: number): Promise<boolean> {
    const deadline = performance.now() + milliseconds;
    const sql = sqlOf(this.#options.pool);
    while (performance.now() < deadline) {
      this.wake();
      await this.#looking;
      await Promise.race([this.#idle(), pause(50)]);
      // the change is committed whether the database answers now or not
      if (!(await isUnsent(sql, ids).catch(() => true))) return true;
      await pause(this.#connected.signal.aborted ? 100 : 5);
    }
    return false;
  }

  async #idle(): Promise<void> {
    await Promise.all([...this.#relays.values()].map((relay) => relay.idle()));
  }

  async #look(): Promise<void> {
    try {
      while (this.#wakeRequested && !this.#stopped) {
        this.#wakeRequested = false;
        const kinds = await waitingKinds(sqlOf(this.#options.pool));
        for (const kind of kinds) this.#relayOf(kind).wake();
      }
    } catch (error) {
      this.#options.log.warn('the outbox could not be read; it will be tried again', { error });
    } finally {
      // in the same tick as the loop's last check, so that a later wake-up starts another run
      this.#looking = undefined;
    }
  }

  #relayOf(kind: string): StreamRelay {
    const { pool, nats, sign, log, maxRefusals } = this.#options;
    const existing = this.#relays.get(kind);
    if (existing) return existing;
    const relay = new StreamRelay({
      ...{ pool, nats, sign, log, kind },
      ...(maxRefusals && { maxRefusals }),
      isDeclared: [...this.#declared.values()].includes(kind),
      connected: () => this.#connected.signal,
      relayed: this.#relayed,
    });
    this.#relays.set(kind, relay);
    return relay;
  }

  #reconnected(): void {
    const server = this.#options.nats.info?.server_id;
    const isAnotherServer = server !== this.#server;
    this.#server = server;
    for (const kind of this.#declared.values()) this.#relayOf(kind);
    for (const relay of this.#relays.values()) relay.reconnected(isAnotherServer);
    this.#connected = new AbortController();
    this.wake();
  }
}

function tellOutbox({ pool, metrics, figuresKept }: RelayOptions): void {
  const gauges = {
    waiting: { name: 'sluice_outbox_waiting', help: 'Messages that wait in the outbox' },
    oldestSeconds: {
      name: 'sluice_outbox_oldest_seconds',
      help: 'How long the oldest message in the outbox has waited',
    },
    deadLetters: {
      name: 'sluice_outbox_dead_letters',
      help: 'Messages of the outbox that NATS refuses for good',
    },
  };
  figures(metrics, gauges, () => measureOutbox(sqlOf(pool)), figuresKept);
}

import type { Topology } from '@sluice/contracts';
import {
  DeliverPolicy,
  jetstream,
  jetstreamManager,
  type ConsumerMessages,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { type Log, problem } from '@sluice/service';
import { streamInfo } from '@sluice/messaging';
import { announcementStream, announcementSubject } from './bucket.ts';

interface Instance {
  revision: number;
  /** when this process saw the announcement, by its monotonic clock: never before it was made */
  seenAt: number;
}

/**
 * Lets main-api wait until a change of grants is in force on every instance of every service. An instance holds a lease
 * for at most `leaseSeconds` after an announcement; an instance that has announced neither the change nor anything for that long
 * has stopped authorizing.
 */
export class GrantLeases {
  readonly #nats: NatsConnection;
  readonly #jetstream: JetStreamClient;
  readonly #log: Log | undefined;
  readonly #topology: Topology;
  /** a little more than the lease, for the granularity of timers */
  readonly #lease: number;
  readonly #instances = new Map<string, Instance>();
  #manager: JetStreamManager | undefined;
  #watch: ConsumerMessages | undefined;
  #seenRevision = 0;
  /** which announcements are being watched: of which bucket, on which run of a server */
  #source: string | undefined;
  /** when every lease has ended that was held by instances whose announcements may have been lost */
  #unknownUntil: number;
  #waiting: (() => void)[] = [];

  constructor(nats: NatsConnection, topology: Topology, leaseSeconds: number, log?: Log) {
    this.#nats = nats;
    this.#jetstream = jetstream(nats);
    this.#log = log;
    this.#topology = topology;
    this.#lease = leaseSeconds * 1000 + 100;
    this.#unknownUntil = performance.now();
  }

  async open(): Promise<void> {
    this.#manager = await jetstreamManager(this.#nats, { timeout: 2_000, checkAPI: false });
  }

  close(): void {
    this.#watch?.stop();
  }

  /**
   * Resolves when no instance can authorize, or commit an effect, with grants older than `revision` of the bucket: at
   * once when all have announced it, after one lease at most when some are dead or cut off. Waits for longer than a lease.
   * @throws Problem `unavailable` when NATS does not answer: the change is stored, but not yet known to be in force
   */
  async waitUntilApplied(revision: number, milliseconds = this.#lease + 8_000): Promise<void> {
    const deadline = performance.now() + milliseconds;
    while (performance.now() < deadline) {
      try {
        await this.#seeAllAnnouncements(deadline);
        const wait = this.#remainingLease(revision);
        if (wait <= 0) return;
        await this.#nextAnnouncement(Math.min(wait, 100));
      } catch {
        this.#watch?.stop();
        this.#watch = undefined;
        await this.#nextAnnouncement(50);
      }
    }
    const lagging = [...this.#instances].filter(([, instance]) => instance.revision < revision);
    this.#log?.warn('a change of grants is not known to be in force', {
      revision,
      lagging: lagging.map(([name, { revision: theirs }]) => `${name} at ${theirs}`),
    });
    throw problem('unavailable', {
      detail: 'The change is stored but not yet known to be in force everywhere. Repeat the request.',
    });
  }

  /** Milliseconds until the last instance that lags behind `revision` has lost its lease; 0 when none does. */
  #remainingLease(revision: number): number {
    const now = performance.now();
    const waits = [...this.#instances.values()]
      .filter((instance) => instance.revision < revision)
      .map((instance) => instance.seenAt + this.#lease - now);
    return Math.max(0, this.#unknownUntil - now, ...waits);
  }

  /**
   * What is known of the instances counts no longer, but they may hold leases: called when NATS turns out to have lost
   * something.
   */
  forget(): void {
    this.#instances.clear();
    this.#seenRevision = 0;
    this.#unknownUntil = performance.now() + this.#lease;
    this.#watch?.stop();
    this.#watch = undefined;
  }

  /** Waits until all announcements that NATS has by now have been seen. */
  async #seeAllAnnouncements(deadline: number): Promise<void> {
    if (!this.#manager) throw new Error('not open');
    const seen = this.#seenRevision;
    const info = await streamInfo(this.#manager, announcementStream(this.#topology), seen);
    if (!info) throw new Error('NATS has no bucket for the announcements');
    const { created, state } = info;
    const source = `${this.#nats.info?.server_id} ${created}`;
    if (this.#source !== undefined && (source !== this.#source || state.last_seq < seen)) this.forget();
    this.#source = source;
    if (!this.#watch) await this.#startWatch();
    const limit = Math.min(deadline, performance.now() + 1_000);
    while (this.#seenRevision < state.last_seq) {
      if (performance.now() > limit) throw new Error('the watch of the announcements lags behind');
      await this.#nextAnnouncement(25);
    }
  }

  /** Resolves at the next announcement, or after `milliseconds`. */
  #nextAnnouncement(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Reads on after what was seen. */
  async #startWatch(): Promise<void> {
    const stream = announcementStream(this.#topology);
    const consumer = await this.#jetstream.consumers.get(stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: this.#seenRevision + 1,
    });
    const watch = await consumer.consume();
    this.#watch?.stop();
    this.#watch = watch;
    void this.#follow(watch);
  }

  async #follow(watch: ConsumerMessages): Promise<void> {
    try {
      for await (const message of watch) {
        if (watch !== this.#watch) return watch.stop();
        this.#see(message);
      }
    } catch {
      // the next wait begins another watch
    }
    if (watch === this.#watch) this.#watch = undefined;
  }

  #see(message: JsMsg): void {
    const { seq, subject, headers } = message;
    if (seq <= this.#seenRevision) return;
    this.#seenRevision = seq;
    const instance = subject.slice(announcementSubject(this.#topology, '').length);
    if (headers?.get('KV-Operation')) this.#instances.delete(instance);
    else this.#instances.set(instance, { revision: Number(message.string()), seenAt: performance.now() });
    for (const resume of this.#waiting.splice(0)) resume();
  }
}

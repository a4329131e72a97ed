import type { Topology } from '@sluice/contracts';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import type { KV, KvWatchEntry } from '@nats-io/kv';
import type { NatsConnection, QueuedIterator } from '@nats-io/transport-node';
import { problem } from '../problem.ts';
import { openGrantBuckets } from './cache.ts';

interface Instance {
  revision: number;
  /** when this process saw the announcement, by its monotonic clock: never before it was made */
  seenAt: number;
}

/**
 * Lets main-api wait until a change of grants is in force on every instance of every service. An instance holds a lease for at most
 * `leaseSeconds` after an announcement; whoever has announced neither the change nor anything for that long has
 * stopped authorizing.
 */
export class GrantLeases {
  readonly #nats: NatsConnection;
  readonly #topology: Topology;
  /** a little more than the lease, for the granularity of timers */
  readonly #lease: number;
  readonly #instances = new Map<string, Instance>();
  #manager: JetStreamManager | undefined;
  #acks: KV | undefined;
  #watch: QueuedIterator<KvWatchEntry> | undefined;
  #seenRevision = 0;
  #waiting: (() => void)[] = [];

  constructor(nats: NatsConnection, topology: Topology, leaseSeconds: number) {
    this.#nats = nats;
    this.#topology = topology;
    this.#lease = leaseSeconds * 1000 + 100;
  }

  async open(): Promise<void> {
    this.#manager = await jetstreamManager(this.#nats, { timeout: 2_000 });
    this.#acks = (await openGrantBuckets(this.#nats, this.#topology)).acks;
    await this.#restartWatch();
  }

  close(): void {
    this.#watch?.stop();
  }

  /**
   * Resolves when no instance can authorize with grants older than those published until now: at once when all
   * have announced them, after one lease at most when some are dead or cut off.
   * @throws Problem `unavailable` when NATS does not answer: the change is stored, but not yet known to be in force
   */
  async waitUntilApplied(milliseconds = 10_000): Promise<void> {
    const deadline = performance.now() + milliseconds;
    let revision: number | undefined;
    while (performance.now() < deadline) {
      try {
        revision ??= await this.#lastSequence(this.#topology.buckets.grants);
        await this.#seeAllAnnouncements(deadline);
        const wait = this.#remainingLease(revision);
        if (wait <= 0) return;
        await this.#nextAnnouncement(Math.min(wait, 100));
      } catch {
        await this.#restartWatch().catch(() => undefined);
        await this.#nextAnnouncement(50);
      }
    }
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
    return Math.max(0, ...waits);
  }

  async #lastSequence(bucket: string): Promise<number> {
    if (!this.#manager) throw new Error('not open');
    return (await this.#manager.streams.info(`KV_${bucket}`)).state.last_seq;
  }

  /** Waits until all announcements that NATS has by now have been seen. */
  async #seeAllAnnouncements(deadline: number): Promise<void> {
    const newest = await this.#lastSequence(this.#topology.buckets.grantAcks);
    const limit = Math.min(deadline, performance.now() + 1_000);
    while (this.#seenRevision < newest) {
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

  async #restartWatch(): Promise<void> {
    this.#watch?.stop();
    const watch = await this.#acks?.watch(
      this.#seenRevision > 0 ? { resumeFromRevision: this.#seenRevision + 1 } : {},
    );
    this.#watch = watch;
    if (watch) void this.#follow(watch);
  }

  async #follow(watch: QueuedIterator<KvWatchEntry>): Promise<void> {
    for await (const { key, operation, revision, value } of watch) {
      if (watch !== this.#watch) return;
      this.#seenRevision = Math.max(this.#seenRevision, revision);
      if (operation !== 'PUT') this.#instances.delete(key);
      else
        this.#instances.set(key, {
          revision: Number(new TextDecoder().decode(value)),
          seenAt: performance.now(),
        });
      for (const resume of this.#waiting.splice(0)) resume();
    }
  }
}

import { grantSchema, type Grant, type Topology } from '@sluice/contracts';
import { jetstream, jetstreamManager, StorageType, type JetStreamManager } from '@nats-io/jetstream';
import { Kvm, type KV, type KvWatchEntry } from '@nats-io/kv';
import type { NatsConnection, QueuedIterator } from '@nats-io/transport-node';
import type { Log } from '../log.ts';
import { problem } from '../problem.ts';

export interface GrantCacheOptions {
  nats: NatsConnection;
  topology: Topology;
  /** unique among all running instances of all services */
  instance: string;
  /** how long an instance may authorize without having heard from NATS */
  leaseSeconds: number;
  log: Log;
}

/**
 * All grants, in memory. An instance authorizes only while it holds a lease, and each renewal goes: announce the
 * revision that is applied, ask NATS for the bucket's newest revision, wait until it is applied. So once main-api has published a
 * revision, an instance either reports having it or has lost its lease: see `GrantLeases.waitUntilApplied`, the other half.
 */
export class GrantCache {
  readonly #options: GrantCacheOptions;
  readonly #grants = new Map<string, Grant>();
  #bucket: KV | undefined;
  #acks: KV | undefined;
  #manager: JetStreamManager | undefined;
  #watch: QueuedIterator<KvWatchEntry> | undefined;
  #applied = 0;
  #announced = -1;
  #announcing: Promise<void> | undefined;
  #revisionWaiters: { revision: number; resolve: () => void }[] = [];
  #leaseUntil = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #renewing = false;
  /** when the bucket was made: another time means another bucket, whose revisions start anew */
  #bucketCreated: string | undefined;
  #closed = false;

  constructor(options: GrantCacheOptions) {
    this.#options = options;
  }

  /** Loads the bucket and takes the first lease. Creates the bucket when it is not there yet. */
  async open(): Promise<void> {
    const { nats, topology, leaseSeconds } = this.#options;
    this.#manager = await jetstreamManager(nats, { timeout: leaseSeconds * 1000 });
    ({ grants: this.#bucket, acks: this.#acks } = await openGrantBuckets(nats, topology));
    await this.#restartWatch();
    await this.#renew();
    if (!this.leased) throw new Error('The grants could not be loaded from NATS');
    this.#timer = setInterval(() => void this.#renew(), (leaseSeconds * 1000) / 4);
    void this.#watchConnection();
  }

  /** A server that was restarted has forgotten whom it told of changes: the client would find out seconds later. */
  async #watchConnection(): Promise<void> {
    for await (const { type } of this.#options.nats.status()) {
      if (type === 'reconnect' && !this.#closed) await this.#restartWatch().catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#leaseUntil = Number.NEGATIVE_INFINITY;
    this.#watch?.stop();
    // a cleanly stopped instance need not be waited for
    await this.#acks?.purge(this.#options.instance).catch(() => undefined);
  }

  get leased(): boolean {
    return performance.now() < this.#leaseUntil;
  }

  /**
   * The grant of a token by its key.
   * @throws Problem `unavailable` while this instance cannot know whether its grants still hold
   */
  find(key: string): Grant | undefined {
    if (!this.leased)
      throw problem('unavailable', { detail: 'Permissions cannot be checked right now; try again shortly.' });
    return this.#grants.get(key);
  }

  async #restartWatch(): Promise<void> {
    if (!this.#bucket) return;
    this.#watch?.stop();
    // after the first load only what is new; without it everything, of which the newest per key is left
    const resume = this.#applied > 0 ? { resumeFromRevision: this.#applied + 1 } : {};
    const watch = await this.#bucket.watch(resume);
    this.#watch = watch;
    void this.#follow(watch);
  }

  async #follow(watch: QueuedIterator<KvWatchEntry>): Promise<void> {
    for await (const entry of watch) {
      if (watch !== this.#watch) return;
      this.#apply(entry);
    }
  }

  #apply(entry: KvWatchEntry): void {
    const grant = entry.operation === 'PUT' ? grantSchema.safeParse(parse(entry)) : undefined;
    if (grant?.success) this.#grants.set(entry.key, grant.data);
    else this.#grants.delete(entry.key);
    if (grant?.success === false)
      this.#options.log.error('a grant is malformed and was dropped', { key: entry.key });
    this.#applied = Math.max(this.#applied, entry.revision);
    this.#revisionWaiters = this.#revisionWaiters.filter(({ revision, resolve }) => {
      if (revision > this.#applied) return true;
      resolve();
      return false;
    });
    if (this.#announced >= 0) void this.#announce();
  }

  /** Tells the applied revision; calls that come meanwhile are answered by one more announcement. */
  async #announce(): Promise<void> {
    while (this.#announcing) await this.#announcing;
    const revision = this.#applied;
    if (this.#announced >= revision) return;
    this.#announcing = this.#putRevision(revision)
      .catch(() => undefined)
      .finally(() => {
        this.#announcing = undefined;
      });
    await this.#announcing;
  }

  async #putRevision(revision: number): Promise<void> {
    await this.#acks?.put(this.#options.instance, String(revision));
    this.#announced = Math.max(this.#announced, revision);
  }

  async #renew(): Promise<void> {
    if (this.#renewing || this.#closed) return;
    this.#renewing = true;
    const { topology, leaseSeconds, log } = this.#options;
    const lease = leaseSeconds * 1000;
    const begun = performance.now();
    try {
      await this.#putRevision(this.#applied);
      const info = await this.#manager?.streams.info(`KV_${topology.buckets.grants}`);
      if (this.#bucketCreated !== info?.created) await this.#reload(info?.created);
      await this.#waitForRevision(info?.state.last_seq ?? 0, lease / 2);
      if (!this.#closed) this.#leaseUntil = begun + lease;
    } catch (error) {
      log.warn('the lease on the grants could not be renewed', { error });
      await this.#restartWatch().catch(() => undefined);
    } finally {
      this.#renewing = false;
    }
  }

  /** Loads the bucket anew when it is another one than was loaded before: its revisions start again at 1. */
  async #reload(created: string | undefined): Promise<void> {
    if (this.#bucketCreated !== undefined) {
      this.#options.log.warn('the bucket of the grants was made anew; it is loaded again');
      this.#grants.clear();
      this.#applied = 0;
      this.#announced = -1;
      await this.#restartWatch();
    }
    this.#bucketCreated = created;
  }

  #waitForRevision(revision: number, milliseconds: number): Promise<void> {
    if (this.#applied >= revision) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the watch of the grants lags behind')), milliseconds);
      this.#revisionWaiters.push({
        revision,
        resolve: () => {
          clearTimeout(timer);
          resolve();
        },
      });
    });
  }
}

function parse(entry: KvWatchEntry): unknown {
  try {
    return entry.json();
  } catch {
    return undefined;
  }
}

/** Opens the buckets of the grants and of the instances' announcements, creating them when they are not there yet. */
export async function openGrantBuckets(
  nats: NatsConnection,
  { buckets }: Topology,
): Promise<{ grants: KV; acks: KV }> {
  const kvm = new Kvm(jetstream(nats));
  return {
    grants: await kvm.create(buckets.grants, { history: 1, storage: StorageType.File }),
    acks: await kvm.create(buckets.grantAcks, { history: 1, ttl: 60_000, storage: StorageType.File }),
  };
}

import type { Judgement, Topology, Verify } from '@sluice/contracts';
import {
  jetstream,
  jetstreamManager,
  type JetStreamClient,
  type JetStreamManager,
  type StoredMsg,
  type StreamInfo,
} from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { type Log, RightChanged, type CommitGuard, type Right, NotReady, problem } from '@sluice/service';
import { streamInfo, watchConnection } from '@sluice/messaging';
import { GrantIndex, type HeldGrant } from './grant-index.ts';
import { announcementSubject, grantStream, grantSubject } from './bucket.ts';
import { confirmBucket } from './confirmation.ts';
import type { GrantState } from './grant-metrics.ts';
import { readBucket } from './read-bucket.ts';

export interface GrantCacheOptions {
  nats: NatsConnection;
  topology: Topology;
  /** unique among all running instances of all services */
  instance: string;
  /** how long an instance may authorize without having heard from NATS */
  leaseSeconds: number;
  /** knows main-api's signatures */
  verify: Verify;
  log: Log;
}

/** An effect that is being committed under the rights of a revision. */
interface Commit {
  revision: number;
}

/** how often main-api is asked again, though nothing has changed that could be seen from here */
const askAgainMilliseconds = 10_000;

/** how many times, and after how many milliseconds each, what NATS has announced is read again that was not there yet */
const mostReadsInVain = 25;
const betweenReads = 20;

/** requests that may wait for a lease at a time */
const mostWaiting = 10_000;

const refusal = () =>
  problem('unavailable', { detail: 'Permissions cannot be checked right now; try again shortly.' });

/**
 * All grants, in memory (docs/decisions/024-grants-that-can-be-trusted.md). An instance authorizes only while it holds
 * a lease, and each renewal goes: announce the revision that is applied, ask NATS for the bucket's newest revision,
 * wait until it is applied. So once main-api has published a revision, an instance either reports having it or has lost
 * its lease: see `GrantLeases`, the other half. A revision is announced only when no effect of an older right can be
 * committed any more: see `beginCommit`.
 */
export class GrantCache implements CommitGuard {
  readonly #options: GrantCacheOptions;
  readonly #lease: number;
  readonly #book: GrantIndex;
  readonly #jetstream: JetStreamClient;
  #manager: JetStreamManager | undefined;
  /** the latest attempt to read what is new: only what it reads counts */
  #attempt: symbol | undefined;
  #applied = 0;
  /** the newest revision that there is to load, as it was last seen */
  #newest = 0;
  #announced = -1;
  #announcing: Promise<void> | undefined;
  readonly #commits = new Set<Commit>();
  #revisionWaiters: { revision: number; resolve: () => void }[] = [];
  #leaseUntil = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;
  /** which bucket on which run of a server main-api has confirmed */
  #confirmed: string | undefined;
  #epoch: number | undefined;
  #askAgainAt = 0;
  /** why the lease was last not renewed */
  #complaint: string | undefined;
  /** requests that wait for a lease, and what they wait for */
  #waiting = 0;
  #bridging: Promise<void> | undefined;
  #closed = false;

  constructor(options: GrantCacheOptions) {
    this.#options = options;
    this.#lease = options.leaseSeconds * 1000;
    this.#book = new GrantIndex(options.verify);
    this.#jetstream = jetstream(options.nats);
  }

  /** Begins to load the grants: a service starts also while they cannot be had, and says so in its readiness. */
  async open(): Promise<void> {
    this.#manager = await jetstreamManager(this.#options.nats, {
      timeout: Math.max(this.#lease / 2, 500),
      checkAPI: false,
    });
    this.#options.nats.subscribe(`${this.#options.topology.subjects.grantsStored}.>`, {
      callback: (error, message) => {
        if (error) this.#options.log.warn('new grants are not announced', { error });
        else this.#hear(Number(message.headers?.get('Nats-Sequence')));
      },
    });
    // what was being read does not come any more
    watchConnection(this.#options.nats, { back: () => void (this.#closed || this.#follow()) });
    this.#timer = setInterval(() => void this.renew(), this.#lease / 4);
    void this.renew();
  }

  /** Gives the grants a moment to be there. */
  async settled(): Promise<void> {
    await this.#bridge(performance.now() + this.#patience);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#leaseUntil = Number.NEGATIVE_INFINITY;
    this.#attempt = undefined;
    await this.#renewing;
    await this.#leave();
  }

  get leased(): boolean {
    return performance.now() < this.#leaseUntil;
  }

  /** Whether an effect could be committed before the lease ends. */
  get #mayCommit(): boolean {
    return performance.now() + this.commitMilliseconds < this.#leaseUntil;
  }

  /** how long a request waits at most, from when the lease has ended, in milliseconds */
  get #patience(): number {
    return 2 * this.#lease;
  }

  get state(): GrantState {
    return {
      size: this.#book.size,
      lag: Math.max(0, this.#newest - this.#applied),
      leaseSeconds: Math.max(0, this.#leaseUntil - performance.now()) / 1000,
    };
  }

  /** @throws NotReady while this instance cannot authorize: why, and how far it has got */
  check(): void {
    if (this.leased) return;
    const { size } = this.#book;
    throw new NotReady(
      this.#applied < this.#newest
        ? `loading the grants: revision ${this.#applied} of ${this.#newest}, ${size} grants`
        : 'no lease on the grants',
    );
  }

  /**
   * The grant of this name. A lease that has just ended is waited for, since a moment without NATS, or one in which the
   * machine stood still, is no reason to refuse requests; in a lasting outage no request is kept waiting.
   * @throws Problem `unavailable` while this instance cannot know whether its grants still hold
   */
  async find(name: string): Promise<HeldGrant | undefined> {
    if (!this.#mayCommit) await this.#waitForLease();
    if (!this.leased) throw refusal();
    try {
      return await this.#book.find(name);
    } catch (error) {
      this.#options.log.error('a grant is not what main-api has said; it counts for nothing', { error });
      return undefined;
    }
  }

  async #waitForLease(): Promise<void> {
    if (this.#waiting >= mostWaiting) throw refusal();
    this.#waiting++;
    try {
      this.#bridging ??= this.#bridge(this.#leaseUntil + this.#patience).finally(() => {
        this.#bridging = undefined;
      });
      await this.#bridging;
    } finally {
      this.#waiting--;
    }
  }

  /** Renews the lease until it is there, or until the time has come. */
  async #bridge(until: number): Promise<void> {
    while (!this.#mayCommit && !this.#closed && performance.now() < until) {
      await this.renew();
      if (!this.#mayCommit) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** how long the database may hear nothing of a transaction whose commit has begun, in milliseconds */
  get commitMilliseconds(): number {
    return this.#lease / 4;
  }

  /**
   * Called when all of an effect but the commit is done. The commit has to reach the database within
   * `commitMilliseconds`, before the lease can end; until the answer is there, no change of rights since is announced.
   * @returns what to call when the commit has come to an end
   * @throws RightChanged when the right is not what the request was authorized by, or is not known to hold for long enough
   */
  beginCommit({ name, revision }: Right): () => void {
    if (!this.#mayCommit || this.#book.revisionOf(name) !== revision) throw new RightChanged();
    const commit = { revision: this.#applied };
    this.#commits.add(commit);
    return () => {
      this.#commits.delete(commit);
      void this.#announce();
    };
  }

  /** What has been read of the bucket, for who compares it; undefined until it is all of this epoch up to `revision`. */
  readUpTo(epoch: number, revision: number): GrantIndex | undefined {
    return this.#epoch === epoch && this.#applied >= revision ? this.#book : undefined;
  }

  /** NATS has stored a revision: it says so before, or after, all that is new has been read. */
  #hear(revision: number): void {
    if (this.#closed || !(revision > this.#applied)) return;
    this.#newest = Math.max(this.#newest, revision);
    if (!this.#attempt) void this.#follow();
  }

  /** Reads on after what is applied up to what is new, in the place of any other attempt. */
  async #follow(): Promise<void> {
    const attempt = Symbol('attempt');
    this.#attempt = attempt;
    const { topology, log } = this.#options;
    const direct = this.#manager?.direct;
    const isLatest = () => this.#attempt === attempt;
    const take = (entry: StoredMsg) => {
      if (isLatest()) this.#apply(entry);
      return isLatest();
    };
    try {
      for (let inVain = 0; direct && inVain < mostReadsInVain;) {
        const before = this.#applied;
        await readBucket(direct, grantStream(topology), before + 1, take);
        if (!isLatest()) return;
        if (this.#applied > before) inVain = 0;
        else if (this.#applied >= this.#newest) break;
        else inVain++;
        // in a cluster the server that answers may not have yet what another one has announced
        if (inVain > 0) await new Promise((resolve) => setTimeout(resolve, betweenReads));
      }
    } catch (error) {
      if (isLatest() && !this.#closed) log.warn('the grants cannot be read', { error });
    }
    // the next renewal begins again
    if (isLatest()) this.#attempt = undefined;
  }

  #apply(entry: StoredMsg): void {
    const { seq: revision, header } = entry;
    if (revision <= this.#applied) return;
    const word = header.get('KV-Operation') ? null : entry.string();
    const key = entry.subject.slice(grantSubject(this.#options.topology, '').length);
    if (!this.#book.put(key, revision, word))
      this.#options.log.error('what is no grant stands among the grants', { key: key.slice(0, 100) });
    this.#applied = revision;
    if (this.#revisionWaiters.length > 0) this.#resumeWaiters();
    // no listener exists while all is being loaded
    if (this.leased) void this.#announce();
  }

  #resumeWaiters(): void {
    this.#revisionWaiters = this.#revisionWaiters.filter(({ revision, resolve }) => {
      if (revision > this.#applied) return true;
      resolve();
      return false;
    });
  }

  /** The newest revision than which no effect of an older right can be committed here any more. */
  get #inForce(): number {
    let revision = this.#applied;
    for (const commit of this.#commits) revision = Math.min(revision, commit.revision);
    return revision;
  }

  /** Tells the revision that is in force; calls that come meanwhile are answered by one more announcement. */
  async #announce(): Promise<void> {
    while (this.#announcing) await this.#announcing;
    const revision = this.#inForce;
    if (this.#announced >= revision || this.#closed) return;
    this.#announcing = this.#putRevision(revision)
      .catch(() => undefined)
      .finally(() => {
        this.#announcing = undefined;
      });
    await this.#announcing;
  }

  async #putRevision(revision: number): Promise<void> {
    const { topology, instance } = this.#options;
    await this.#jetstream.publish(announcementSubject(topology, instance), String(revision), {
      // one that got lost is said again at the next renewal, however long the lease is
      timeout: Math.min(this.#lease / 2, 1_000),
    });
    this.#announced = Math.max(this.#announced, revision);
  }

  /** A cleanly stopped instance need not be waited for. */
  async #leave(): Promise<void> {
    const { topology, instance } = this.#options;
    const header = headers();
    header.set('KV-Operation', 'PURGE');
    await this.#jetstream
      .publish(announcementSubject(topology, instance), '', { headers: header, timeout: 1_000 })
      .catch(() => undefined);
  }

  /** Renews the lease, if everything that it takes is there. */
  renew(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renew(): Promise<void> {
    const appliedBefore = this.#applied;
    try {
      // while it loads it is silent: no change has to wait for an instance that cannot authorize
      if (!this.leased) await this.#catchUp();
      const begun = performance.now();
      await this.#putRevision(this.#inForce);
      await this.#catchUp();
      // an epoch may have begun meanwhile
      if (!this.#closed && this.#confirmed !== undefined) this.#leaseUntil = begun + this.#lease;
      this.#complaint = undefined;
    } catch (error) {
      this.#complain(error);
      // as long as something comes it only takes its time
      if (this.#epoch !== undefined && this.#applied === appliedBefore) void this.#follow();
    }
  }

  /** Once for each reason: it is tried again several times a second. */
  #complain(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (reason !== this.#complaint)
      this.#options.log.warn('the lease on the grants could not be renewed', { error });
    this.#complaint = reason;
  }

  /** Applies what the bucket has by now. */
  async #catchUp(): Promise<void> {
    const { state } = await this.#confirmedBucket();
    this.#newest = state.last_seq;
    if (!this.#attempt) void this.#follow();
    await this.#waitForRevision(state.last_seq, this.#lease / 4);
  }

  /** The bucket, once main-api has said that it is its own, and current; asked again when it or its server is another. */
  async #confirmedBucket(): Promise<StreamInfo> {
    const { nats, topology } = this.#options;
    if (!this.#manager) throw new Error('not open');
    const appliedBefore = this.#applied;
    const info = await streamInfo(this.#manager, grantStream(topology), appliedBefore);
    if (!info) {
      this.#distrust();
      throw new Error('NATS has no bucket for the grants');
    }
    const { created, state } = info;
    const seen = `${nats.info?.server_id} ${created}`;
    const isBehind = state.last_seq < appliedBefore;
    if (isBehind) this.#distrust();
    if (this.#confirmed === seen) {
      if (performance.now() > this.#askAgainAt) void this.#askAgain(info);
      return info;
    }
    const { current, epoch } = await this.#ask(info);
    if (epoch !== this.#epoch || isBehind) this.#startOver(epoch);
    this.#newest = state.last_seq;
    if (!current) throw new Error('main-api has not confirmed yet that the grants are current');
    this.#confirmed = seen;
    return info;
  }

  async #ask({ created, state }: StreamInfo): Promise<Judgement> {
    const { nats, topology, verify } = this.#options;
    const seen = { created, lastRevision: state.last_seq };
    this.#askAgainAt = performance.now() + askAgainMilliseconds;
    return await confirmBucket(nats, topology, verify, seen, this.#lease / 2);
  }

  /** Asks main-api, if one is there, whether an epoch has begun that could not be noticed here. */
  async #askAgain(info: StreamInfo): Promise<void> {
    const answer = await this.#ask(info).catch(() => undefined);
    if (answer && answer.epoch !== this.#epoch) this.#distrust();
  }

  /** Has main-api asked anew by an instance that still reads what was before `epoch`. */
  expect(epoch: number): void {
    if (this.#epoch !== undefined && this.#epoch !== epoch) this.#distrust();
  }

  /** What is in the bucket is older than what was there before: nothing holds until main-api has looked. */
  #distrust(): void {
    this.#confirmed = undefined;
    this.#leaseUntil = Math.min(this.#leaseUntil, performance.now());
  }

  #startOver(epoch: number): void {
    if (this.#epoch !== undefined) this.#options.log.warn('the grants are loaded anew', { epoch });
    this.#distrust();
    this.#epoch = epoch;
    this.#book.clear();
    this.#applied = 0;
    this.#announced = -1;
    void this.#follow();
  }

  #waitForRevision(revision: number, milliseconds: number): Promise<void> {
    if (this.#applied >= revision) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const waiter = {
        revision,
        resolve: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#revisionWaiters = this.#revisionWaiters.filter((other) => other !== waiter);
        reject(new Error('the grants are not all there yet'));
      }, milliseconds);
      this.#revisionWaiters.push(waiter);
    });
  }
}

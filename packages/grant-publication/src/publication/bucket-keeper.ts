import type { Job } from '@sluice/controller';
import { grantNameOf, type Judgement, type SeenBucket, type Sign, type Topology } from '@sluice/contracts';
import {
  answerConfirmations,
  ensureGrantBuckets,
  grantStream,
  type GrantIndex,
  type GrantCache,
} from '@sluice/grants';
import type { Log } from '@sluice/service';
import { jetstreamManager, type JetStreamManager, type StreamInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Database } from '@sluice/main-store/database';
import { batches } from '@sluice/main-store/rows';
import {
  completeBucket,
  deleteRemovals,
  distrustBucket,
  isUnderReview,
  keepSentPosition,
  listGrantsAfter,
  listLeftovers,
  listOldRemovals,
  readBucket,
  removeExpired,
  storeGrants,
  takeBucket,
  unsettle,
  withoutRow,
  type KnownBucket,
} from '../grants.store.ts';
import type { GrantPublisher } from './grant-publisher.ts';

export interface BucketKeeperOptions {
  database: Database;
  nats: NatsConnection;
  topology: Topology;
  sign: Sign;
  grants: GrantCache;
  publisher: GrantPublisher;
  /** on how many servers the buckets are kept */
  replicas: number;
  /** compares a restored database with `book`, the whole bucket, and with other evidence */
  review: (known: KnownBucket, book: GrantIndex) => Promise<void>;
  /** makes all grants anew where another release made them */
  renew: () => Promise<void>;
  log: Log;
}

const portionSize = 5_000;
const cleanupSize = 1_000;
/** batches that one run of the clean-up removes at most */
const cleanupBatches = 100;

/**
 * Keeps the bucket of the grants equal to the table, also when NATS loses it: makes it when it is gone, notices when it is an earlier
 * one, compares both from time to time, and confirms to instances that what they see is current. Every replica does; where two do the
 * same, the second finds it done.
 */
export class BucketKeeper {
  readonly #options: BucketKeeperOptions;
  readonly #manager: JetStreamManager;
  #isReviewed = false;
  #isRenewed = false;

  private constructor(options: BucketKeeperOptions, manager: JetStreamManager) {
    this.#options = options;
    this.#manager = manager;
  }

  /** Confirms to instances what they see, until `close`. */
  static async open(options: BucketKeeperOptions) {
    const { nats, topology, sign, log } = options;
    const manager = await jetstreamManager(nats, { timeout: 2_000, checkAPI: false });
    const keeper = new BucketKeeper(options, manager);
    const close = answerConfirmations(nats, topology, sign, (seen) => keeper.#judge(seen), log);
    return { jobs: keeper.#jobs(), close };
  }

  #jobs(): Record<'look' | 'renew' | 'leftovers' | 'compare' | 'cleanUp', Job> {
    return {
      look: { name: 'grant_bucket', every: 1, run: (signal) => this.#look(signal) },
      renew: { name: 'grant_renewal', every: () => (this.#isRenewed ? 3_600 : 1), run: () => this.#renew() },
      leftovers: { name: 'grant_leftovers', every: 600, run: () => this.#publishLeftovers() },
      compare: { name: 'grant_comparison', every: 300, run: (signal) => this.#compare(signal) },
      cleanUp: { name: 'grant_cleanup', every: 600, run: (signal) => this.#cleanUp(signal) },
    };
  }

  async #publishLeftovers(): Promise<void> {
    if (!(await isUnderReview(this.#options.database))) await this.#options.publisher.sweep(0);
  }

  /** One look at the bucket, with what it takes to set it right. */
  async #look(signal: AbortSignal): Promise<void> {
    const { database, topology, publisher, replicas } = this.#options;
    // the table first: the bucket cannot be behind it
    const known = await readBucket(database);
    const info = await ensureGrantBuckets(this.#manager, topology, replicas, known.newest);
    if (info.created !== known.created) await takeBucket(database, known, info.created);
    else if (info.state.last_seq < known.newest) await distrustBucket(database, known, info.state.last_seq);
    if (!(await this.#review())) return;
    this.#isReviewed = true;
    await publisher.sweep();
    await this.#complete(signal);
  }

  /** @returns false while what a restored database lacks is not known: nothing may be published by then */
  async #review(): Promise<boolean> {
    const { database, grants, topology, review } = this.#options;
    const known = await readBucket(database);
    if (!known.review) return true;
    const info = await this.#manager.streams.info(grantStream(topology));
    grants.expect(known.epoch);
    await grants.renew();
    const book = grants.readUpTo(known.epoch, info.state.last_seq);
    if (!book) return false;
    await review(known, book);
    return !(await isUnderReview(database));
  }

  /** Once after a start, beside the looks: it takes long where there are many grants. */
  async #renew(): Promise<void> {
    if (!this.#isReviewed || this.#isRenewed) return;
    await this.#options.renew();
    this.#isRenewed = true;
  }

  /** Once an epoch has begun: compares until nothing differs. */
  async #complete(signal: AbortSignal): Promise<void> {
    const { database, topology, publisher, log } = this.#options;
    while (!signal.aborted) {
      const known = await readBucket(database);
      if (known.complete || known.made_by === null) return;
      const info = await this.#manager.streams.info(grantStream(topology));
      this.#options.grants.expect(known.epoch);
      await this.#options.grants.renew();
      const left = await listLeftovers(database, 0, 1);
      const differences = await this.#compareWith(known, info, signal);
      if (differences === undefined) return;
      if (differences > 0 || left.length > 0) await publisher.sweep(0);
      else {
        await completeBucket(database, known.epoch);
        log.info('the bucket of the grants is complete', { epoch: known.epoch });
      }
    }
  }

  /** Compares the bucket with the table, both ways, and corrects what differs. */
  async #compare(signal: AbortSignal): Promise<void> {
    const known = await readBucket(this.#options.database);
    if (known.review) return;
    const info = await this.#manager.streams.info(grantStream(this.#options.topology));
    await this.#compareWith(known, info, signal);
  }

  /** @returns how many grants differed; undefined when this instance has not read the bucket yet */
  async #compareWith(
    { epoch }: KnownBucket,
    { state }: StreamInfo,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const { grants, log } = this.#options;
    const book = grants.readUpTo(epoch, state.last_seq);
    if (!book) return undefined;
    const count = (await this.#compareRows(book, signal)) + (await this.#compareEntries(book));
    if (count > 0) log.warn('grants in NATS differ from the table; they are corrected', { count });
    return count;
  }

  /** Rows that stand otherwise in the bucket than they were published. */
  async #compareRows(book: GrantIndex, signal: AbortSignal): Promise<number> {
    const { database } = this.#options;
    let count = 0;
    const list = (after: string) => listGrantsAfter(database, after, portionSize);
    for await (const rows of batches('', list, ({ key }) => key)) {
      const wrong = rows.filter(({ key, sequence, removed }) => {
        const revision = book.revisionOf(grantNameOf(key)?.name ?? '');
        return removed ? revision !== undefined && revision <= (sequence ?? 0) : revision !== sequence;
      });
      if (wrong.length > 0) await unsettle(database, wrong);
      count += wrong.length;
      if (signal.aborted) break;
    }
    return count;
  }

  /** What stands in the bucket and has no row: taken away. */
  async #compareEntries(book: GrantIndex): Promise<number> {
    const { database } = this.#options;
    let count = 0;
    for (const portion of book.portions(portionSize)) {
      const strange = await withoutRow(database, [...portion.keys()]);
      if (strange.length > 0)
        await storeGrants(
          database,
          strange.map((key) => [key, null]),
        );
      count += strange.length;
    }
    return count;
  }

  /** What an instance may make of the bucket that it sees. */
  async #judge({ created, lastRevision }: SeenBucket): Promise<Judgement> {
    const known = await readBucket(this.#options.database);
    const current = known.complete && created === known.created && lastRevision >= known.newest;
    return { current, epoch: known.epoch };
  }

  /** Takes away what has expired, and forgets removals that every instance knows of. */
  async #cleanUp(signal: AbortSignal): Promise<void> {
    const { database, topology } = this.#options;
    const { streams } = this.#manager;
    await keepSentPosition(database, topology.streams.events.name);
    for (let i = 0; i < cleanupBatches && !signal.aborted; i++)
      if ((await removeExpired(database, cleanupSize)) < cleanupSize) break;
    for (let i = 0; i < cleanupBatches && !signal.aborted; i++) {
      const removals = await listOldRemovals(database, cleanupSize);
      if (removals.length === 0) return;
      await Promise.all(
        removals.map(({ sequence }) =>
          // one that is gone already will do as well
          streams.deleteMessage(grantStream(topology), sequence, false).catch(() => undefined),
        ),
      );
      await deleteRemovals(database, removals);
    }
  }
}

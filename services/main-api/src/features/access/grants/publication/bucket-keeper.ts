import { grantNameOf, type Judgement, type SeenBucket, type Sign, type Topology } from '@sluice/contracts';
import {
  answerConfirmations,
  ensureGrantBuckets,
  grantStream,
  type GrantIndex,
  type GrantCache,
} from '@sluice/grants';
import { watchConnection } from '@sluice/messaging';
import type { Log, Notifications } from '@sluice/service';
import { jetstreamManager, type JetStreamManager, type StreamInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Database } from '../../../../database.ts';
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
} from '../../../../stores/grants.store.ts';
import type { GrantPublisher } from './grant-publisher.ts';

export interface BucketKeeperOptions {
  database: Database;
  nats: NatsConnection;
  topology: Topology;
  notifications: Notifications;
  sign: Sign;
  /** this instance's own, which shows what is in the bucket */
  grants: GrantCache;
  publisher: GrantPublisher;
  /** on how many servers the buckets are kept */
  replicas: number;
  /** compares a restored database with `book`, which is all that stands in the bucket, and with other evidence */
  review: (known: KnownBucket, book: GrantIndex) => Promise<void>;
  /** makes all grants anew where they were made by another release */
  renew: () => Promise<void>;
  log: Log;
}

const lookMilliseconds = 1_000;
const compareMilliseconds = 5 * 60_000;
const cleanupMilliseconds = 10 * 60_000;
const portionSize = 5_000;
const cleanupSize = 1_000;
/** so many portions of what is over are removed at a time at most */
const cleanupPortions = 100;

/**
 * Keeps the bucket of the grants as the table is, whatever happens to NATS: makes it when it is gone, notices when it is
 * one of earlier, compares both from time to time, and tells instances whether what they see is what there should be.
 * Every replica does; where two do the same, the second finds it done.
 */
export class BucketKeeper {
  readonly #options: BucketKeeperOptions;
  #manager: JetStreamManager | undefined;
  #timers: NodeJS.Timeout[] = [];
  #looking: Promise<void> | undefined;
  #renewing: Promise<void> | undefined;
  #renewed = false;
  #endAnswers: (() => void) | undefined;
  #stopped = false;

  constructor(options: BucketKeeperOptions) {
    this.#options = options;
  }

  /** Looks after the bucket until `stop`; resolves after the first look. */
  async start(): Promise<void> {
    const { nats, topology, sign, notifications, log } = this.#options;
    this.#manager = await jetstreamManager(nats, { timeout: 2_000, checkAPI: false });
    this.#endAnswers = answerConfirmations(nats, topology, sign, (seen) => this.#judge(seen), log);
    // somebody without NATS, such as the seed, has changed grants
    await notifications.listen('grants', () => this.#inBackground(() => this.#publishLeftovers()));
    watchConnection(nats, { back: () => void this.look() });
    this.#every(lookMilliseconds, () => this.look());
    this.#every(compareMilliseconds, () => this.compare());
    this.#every(cleanupMilliseconds, () => this.#cleanUp());
    await this.look();
    this.#inBackground(() => this.#cleanUp());
  }

  async #publishLeftovers(): Promise<void> {
    if (!(await isUnderReview(this.#options.database))) await this.#options.publisher.sweep(0);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    this.#endAnswers?.();
    await Promise.allSettled([this.#looking, this.#renewing]);
  }

  /** One look at the bucket, with what it takes to set it right. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error: unknown) => {
        this.#options.log.warn('the bucket of the grants cannot be kept', { error });
      })
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { database, topology, publisher, replicas } = this.#options;
    if (!this.#manager || this.#stopped) return;
    // what is known first: the bucket cannot be behind it
    const known = await readBucket(database);
    const info = await ensureGrantBuckets(this.#manager, topology, replicas, known.newest);
    if (info.created !== known.created) await takeBucket(database, known, info.created);
    else if (info.state.last_seq < known.newest) await distrustBucket(database, known, info.state.last_seq);
    if (!(await this.#review())) return;
    this.#renew();
    await publisher.sweep();
    await this.#complete();
  }

  /** @returns false while what a restored database lacks is not known: nothing may be published by then */
  async #review(): Promise<boolean> {
    const { database, grants, topology, review } = this.#options;
    const known = await readBucket(database);
    if (!known.review) return true;
    if (!this.#manager) return false;
    const info = await this.#manager.streams.info(grantStream(topology));
    grants.expect(known.epoch);
    await grants.renew();
    const book = grants.readUpTo(known.epoch, info.state.last_seq);
    if (!book) return false;
    await review(known, book);
    return !(await isUnderReview(database));
  }

  #renew(): void {
    if (this.#renewed) return;
    this.#renewing ??= this.#options
      .renew()
      .then(() => {
        this.#renewed = true;
      })
      .catch((error: unknown) => {
        this.#options.log.warn('the grants could not be made anew', { error });
      })
      .finally(() => {
        this.#renewing = undefined;
      });
  }

  /** Once an epoch has begun: compares until nothing differs. */
  async #complete(): Promise<void> {
    const { database, topology, publisher, log } = this.#options;
    while (!this.#stopped && this.#manager) {
      const known = await readBucket(database);
      if (known.complete || known.made_by === null) return;
      const info = await this.#manager.streams.info(grantStream(topology));
      this.#options.grants.expect(known.epoch);
      await this.#options.grants.renew();
      const left = await listLeftovers(database, 0, 1);
      const differences = await this.#compareWith(known, info);
      if (differences === undefined) return;
      if (differences > 0 || left.length > 0) await publisher.sweep(0);
      else {
        await completeBucket(database, known.epoch);
        log.info('the bucket of the grants is complete', { epoch: known.epoch });
      }
    }
  }

  /** Compares the bucket with the table, both ways, and has set right what differs. */
  async compare(): Promise<void> {
    if (!this.#manager || this.#stopped) return;
    const known = await readBucket(this.#options.database);
    if (known.review) return;
    const info = await this.#manager.streams.info(grantStream(this.#options.topology));
    await this.#compareWith(known, info);
  }

  /** @returns how many grants differed; undefined when this instance has not read the bucket yet */
  async #compareWith({ epoch }: KnownBucket, { state }: StreamInfo): Promise<number | undefined> {
    const { grants, log } = this.#options;
    const book = grants.readUpTo(epoch, state.last_seq);
    if (!book) return undefined;
    const count = (await this.#compareRows(book)) + (await this.#compareEntries(book));
    if (count > 0) log.warn('grants in NATS were not as they should be; they are set right', { count });
    return count;
  }

  /** Rows that stand otherwise in the bucket than they were published. */
  async #compareRows(book: GrantIndex): Promise<number> {
    const { database } = this.#options;
    let count = 0;
    for (let last = ''; ;) {
      const rows = await listGrantsAfter(database, last, portionSize);
      const wrong = rows.filter(({ key, sequence, removed }) => {
        const revision = book.revisionOf(grantNameOf(key)?.name ?? '');
        return removed ? revision !== undefined && revision <= (sequence ?? 0) : revision !== sequence;
      });
      if (wrong.length > 0) await unsettle(database, wrong);
      count += wrong.length;
      const end = rows.at(-1);
      if (!end || this.#stopped) return count;
      last = end.key;
    }
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
  async #cleanUp(): Promise<void> {
    const { database, topology } = this.#options;
    const { streams } = this.#manager ?? {};
    if (!streams) return;
    await keepSentPosition(database, topology.streams.events.name);
    for (let i = 0; i < cleanupPortions && !this.#stopped; i++)
      if ((await removeExpired(database, cleanupSize)) < cleanupSize) break;
    for (let i = 0; i < cleanupPortions && !this.#stopped; i++) {
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

  #every(milliseconds: number, task: () => Promise<void>): void {
    this.#timers.push(setInterval(() => this.#inBackground(task), milliseconds));
  }

  #inBackground(task: () => Promise<void>): void {
    if (this.#stopped) return;
    task().catch((error: unknown) =>
      this.#options.log.warn('the grants could not be looked after; it will be tried again', { error }),
    );
  }
}

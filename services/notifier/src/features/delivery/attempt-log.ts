import type { ChannelId } from '@sluice/contracts';
import type { Log } from '@sluice/service';
import { createBackoff } from '@sluice/system';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../database/tables.ts';
import { releaseQueues, storeAttempts, type Attempted } from '../../stores/queues.store.ts';

interface Waiting {
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** of the channels that are delivered to, from how many on their attempts are worth a statement at once */
const enough = 0.4;
/** how long fewer wait for others to come */
const lingerMilliseconds = 4;
/** statements at the same time, each about channels of its own: while PostgreSQL works on one the next is gathered */
const mostStatements = 2;

/**
 * Stores what became of attempts, of all channels together: those that come while two statements are under way in the next one. Where
 * many channels are delivered to, a few wait for others: a statement costs much the same for one as for ten.
 */
export class AttemptLog {
  readonly #database: Database;
  readonly #lease: string;
  readonly #channels: () => number;
  readonly #log: Log;
  #attempts: Attempted[] = [];
  #releases: ChannelId[] = [];
  /** channels of which more was due when they were given back */
  readonly #due = new Set<ChannelId>();
  #waiting: Waiting[] = [];
  #isGathering = false;
  /** statements that are under way */
  #statements = 0;
  #isEnough: (() => void) | undefined;

  /** @param channels how many are delivered to */
  constructor(database: Database, lease: string, channels: () => number, log: Log) {
    this.#database = database;
    this.#lease = lease;
    this.#channels = channels;
    this.#log = log;
  }

  /** Resolves when it is stored; only then may the next message go to the same channel. @throws when it cannot be stored */
  async store(attempt: Attempted): Promise<void> {
    this.#attempts.push(attempt);
    await this.#written();
  }

  /** Gives the lease of a channel back, after all of its attempts have been stored. @returns whether more of it is due */
  async release(channel: ChannelId): Promise<boolean> {
    this.#releases.push(channel);
    await this.#written();
    return this.#due.delete(channel);
  }

  #written(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ resolve, reject });
    if (this.#hasEnough) this.#isEnough?.();
    this.#writeNext();
    return promise;
  }

  #writeNext(): void {
    if (this.#waiting.length === 0 || this.#isGathering || this.#statements >= mostStatements) return;
    void this.#write().finally(() => this.#writeNext());
  }

  async #write(): Promise<void> {
    this.#isGathering = true;
    await this.#gathered();
    this.#isGathering = false;
    const [attempts, releases, waiting] = [this.#attempts, this.#releases, this.#waiting];
    [this.#attempts, this.#releases, this.#waiting] = [[], [], []];
    this.#statements++;
    try {
      await this.#patiently(async () => {
        if (attempts.length > 0) await storeAttempts(this.#database, attempts);
        if (releases.length === 0) return;
        const due = await releaseQueues(this.#database, this.#lease, releases);
        for (const channel of due) this.#due.add(channel);
      });
      for (const { resolve } of waiting) resolve();
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    } finally {
      this.#statements--;
    }
  }

  get #hasEnough(): boolean {
    return this.#waiting.length >= this.#channels() * enough;
  }

  /** Waits until there is enough for a statement, or for long enough. */
  async #gathered(): Promise<void> {
    // whatever is ready at this moment goes along
    await Promise.resolve();
    if (this.#hasEnough) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, lingerMilliseconds);
    this.#isEnough = resolve;
    await promise;
    clearTimeout(timer);
    this.#isEnough = undefined;
  }

  /** A database that is away for a moment must not make messages that have arrived go out again. */
  async #patiently(write: () => Promise<void>): Promise<void> {
    const backoff = createBackoff({ first: 50, cap: 1_000 });
    for (let attempt = 1; ; attempt++)
      try {
        return await write();
      } catch (error) {
        this.#log.warn('what became of notifications could not be stored', { attempt, error });
        if (attempt >= 5) throw error;
        await pause(backoff.next());
      }
  }
}

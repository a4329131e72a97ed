import type { ChannelId } from '@sluice/contracts';
import type { Log } from '@sluice/service-kit';
import { createBackoff } from '@sluice/system';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../database/tables.ts';
import { releaseQueues, storeAttempts, type Attempted } from '../../stores/queues.store.ts';

interface Waiting {
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Stores what became of attempts: those of all channels that come while one statement is under way in the next one. */
export class AttemptLog {
  readonly #database: Database;
  readonly #lease: string;
  readonly #log: Log;
  #attempts: Attempted[] = [];
  #releases: ChannelId[] = [];
  #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(database: Database, lease: string, log: Log) {
    this.#database = database;
    this.#lease = lease;
    this.#log = log;
  }

  /** Resolves when it is stored; only then may the next message go to the same channel. @throws when it cannot be stored */
  async store(attempt: Attempted): Promise<void> {
    this.#attempts.push(attempt);
    await this.#written();
  }

  /** Gives the lease of a channel back, after all of its attempts have been stored. */
  async release(channel: ChannelId): Promise<void> {
    this.#releases.push(channel);
    await this.#written();
  }

  #written(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ resolve, reject });
    if (!this.#isWriting) void this.#write();
    return promise;
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    // whatever is ready at this moment goes along
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const [attempts, releases, waiting] = [this.#attempts, this.#releases, this.#waiting];
      [this.#attempts, this.#releases, this.#waiting] = [[], [], []];
      try {
        await this.#patiently(async () => {
          if (attempts.length > 0) await storeAttempts(this.#database, attempts);
          if (releases.length > 0) await releaseQueues(this.#database, this.#lease, releases);
        });
        for (const { resolve } of waiting) resolve();
      } catch (error) {
        for (const { reject } of waiting) reject(error);
      }
    }
    this.#isWriting = false;
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

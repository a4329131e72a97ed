import type { TenantId } from '@sluice/contracts';
import type { Job } from '@sluice/controller';
import type { Pruning } from '@sluice/service';
import type { Database } from '../../database/tables.ts';
import { blockSize, countNext, deleteCountsOfGone, uncountedTenants } from './log-counts.store.ts';

/** tenants that are looked for at a time */
const mostTenants = 1_000;

/** Counts the logs of tenants, thousand by thousand, behind those who add to them (decision 073). */
export class Counts {
  readonly #database: Database;
  /** whose logs have got another thousand */
  readonly #grown = new Set<TenantId>();
  #wake: (() => void) | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Counts the logs that have grown, and those that replicas which ended have left. */
  get job(): Job {
    return { name: 'log_counts', every: 600, run: (signal) => this.countAll(signal) };
  }

  /** Counts of entries that are gone. */
  get pruning(): Pruning[] {
    return [{ table: 'log_counts', remove: () => deleteCountsOfGone(this.#database).then(() => 0) }];
  }

  /** @param wake has the job run */
  onGrown(wake: () => void): void {
    this.#wake = wake;
  }

  /** The log of a tenant grows from one number to another; called before or after that is committed. */
  grown(tenant: TenantId, from: number, to: number): void {
    if (Math.floor(from / blockSize) === Math.floor(to / blockSize)) return;
    this.#grown.add(tenant);
    this.#wake?.();
  }

  async countAll(signal?: AbortSignal): Promise<void> {
    const grown = [...this.#grown];
    this.#grown.clear();
    // a growth that was not committed yet is found by the next pass over all
    const tenants = grown.length > 0 ? grown : await uncountedTenants(this.#database, mostTenants);
    for (const tenant of tenants)
      while (!signal?.aborted && (await this.#database.transaction().execute((db) => countNext(db, tenant))));
  }
}

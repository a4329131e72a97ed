import { setTimeout as pause } from 'node:timers/promises';
import { inTransaction, sqlOf, type Log, type Sql } from '@sluice/service-kit';
import type pg from 'pg';
import { areFormerEntries, takeFormerEntries, type FormerEntry } from '../../stores/former-entries.store.ts';
import type { Draft, LogService } from './log.service.ts';

export interface FormerEntriesOptions {
  pool: pg.Pool;
  entries: LogService;
  log: Log;
}

const batchSize = 500;
const pauseMilliseconds = 200;
const everyMilliseconds = 5_000;

/**
 * Takes what the release before has recorded over into the log: all there is before the service answers, then what replicas of that
 * release add as long as they run.
 */
export class FormerEntries {
  readonly #options: FormerEntriesOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: FormerEntriesOptions) {
    this.#options = options;
  }

  /** Resolves when all that was there is in the log, whichever replica has done it. */
  async start(): Promise<void> {
    const sql = sqlOf(this.#options.pool);
    while (await areFormerEntries(sql)) if ((await this.#take()) === 0) await pause(pauseMilliseconds);
    this.#running = this.#keepTaking();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #keepTaking(): Promise<void> {
    const { log } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await pause(everyMilliseconds, undefined, { signal }).catch(() => undefined);
      try {
        while (!signal.aborted && (await this.#take()) === batchSize);
      } catch (error) {
        log.warn('entries of the release before could not be taken over; it will be tried again', { error });
      }
    }
  }

  async #take(): Promise<number> {
    const { pool, entries } = this.#options;
    return await inTransaction(pool, async (sql: Sql) => {
      const taken = await takeFormerEntries(sql, batchSize);
      await entries.append(sql, taken.map(draftOfFormer));
      return taken.length;
    });
  }
}

function draftOfFormer(row: FormerEntry): Draft {
  const ref = (id: number | null, name: string | null) =>
    id === null || name === null ? null : { id, name };
  return {
    tenant_id: row.tenant_id,
    event_id: row.event_id,
    position: row.sequence,
    type: row.type,
    author: ref(row.author_id, row.author_name),
    user: ref(row.user_id, row.user_name),
    division: ref(row.division_id, row.division_name),
    environment: ref(row.environment_id, row.environment_name),
    deployment: ref(row.deployment_id, row.deployment_name),
    api_key: ref(row.api_key_id, row.api_key_name),
    data: row.data,
    as_sent: row.as_sent,
    correlation_id: row.correlation_id,
    occurred_at: row.occurred_at.toISOString(),
    recorded_at: row.occurred_at,
  };
}

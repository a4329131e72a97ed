import type { Schedule, ScheduledJob } from '@sluice/controller';
import type pg from 'pg';
import { Counter, type Registry } from '@prometheus-io/client';
import type { Log } from '../log.ts';
import { inTransaction, takeTime } from './postgres.ts';

/** Which rows of a table are of no use any more. An index has to lead to them. */
export interface PruningRule {
  table: string;
  /** since when: SQL of a time; where it is null, the row stays */
  since: string;
  /** for how long they are kept from then on: an interval, as PostgreSQL reads it */
  keep: string;
  /** SQL of what else has to hold */
  where?: string;
}

/** What takes more than a statement. */
export interface PruningTask {
  table: string;
  /** Deletes some rows, at most so many. @returns how many */
  remove: (rows: number) => Promise<number>;
}

export type Pruning = PruningRule | PruningTask;

/** rows that are deleted in one transaction, so that no transaction is long */
const batchRows = 1_000;
const batchSeconds = 60;
/** a table that is locked is pruned at the next run */
const lockMilliseconds = 200;
/** identifies prunings among the advisory locks of a database */
const pruningLock = 0x51_0b_0c_5f;
const everySeconds = 600;

/** The statement that deletes what a rule says, at most `$1` rows; rows that are locked are left for the next run. */
export function pruningStatement({ table, since, keep, where = 'true' }: PruningRule): string {
  return `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE ${since} < now() - interval '${keep}' AND ${where}
      LIMIT $1 FOR UPDATE SKIP LOCKED))`;
}

/**
 * Deletes what is over, a batch at a time. Of several replicas one at a time prunes a table.
 * @returns how many rows
 */
export async function prune(
  pool: pg.Pool,
  pruning: Pruning,
  { rows = batchRows, signal }: { rows?: number; signal?: AbortSignal } = {},
): Promise<number> {
  const removeSome =
    'remove' in pruning ? pruning.remove : (most: number) => removeBatch(pool, pruning, most);
  let total = 0;
  for (let removed = rows; removed === rows && !signal?.aborted; total += removed)
    removed = await removeSome(rows);
  return total;
}

async function removeBatch(pool: pg.Pool, rule: PruningRule, rows: number): Promise<number> {
  return await inTransaction(pool, async (sql) => {
    await takeTime(sql, batchSeconds);
    await sql.query(`SET LOCAL lock_timeout = ${lockMilliseconds}`);
    const [lock] = await sql.query<{ mine: boolean }>(
      'SELECT pg_try_advisory_xact_lock($1::int, hashtext($2)) AS mine',
      [pruningLock, rule.table],
    );
    if (!lock?.mine) return 0;
    const [deleted] = await sql.query<{ count: number }>(
      `WITH deleted AS (${pruningStatement(rule)} RETURNING 1) SELECT count(*) FROM deleted`,
      [rows],
    );
    return deleted?.count ?? 0;
  });
}

export interface PrunerOptions {
  pool: pg.Pool;
  schedule: Schedule;
  metrics: Registry;
  log: Log;
}

/** Prunes the tables of a service every ten minutes. */
export class Pruner {
  readonly #options: PrunerOptions;
  readonly #pruned: Counter<'table'>;
  readonly #prunings: Pruning[] = [];
  readonly #job: ScheduledJob;

  constructor(options: PrunerOptions) {
    this.#options = options;
    this.#pruned = new Counter({
      name: 'sluice_rows_pruned_total',
      help: 'Rows that were of no use any more and were deleted',
      labelNames: ['table'],
      registers: [options.metrics],
    });
    this.#job = options.schedule.add({
      name: 'pruning',
      every: everySeconds,
      run: async (signal) => {
        for (const pruning of this.#prunings) if (!signal.aborted) await this.#prune(pruning, signal);
      },
    });
  }

  /** Prunes these soon and from then on. */
  add(prunings: readonly Pruning[]): void {
    this.#prunings.push(...prunings);
    this.#job.wake();
  }

  async #prune(pruning: Pruning, signal: AbortSignal): Promise<void> {
    const { pool, log } = this.#options;
    const { table } = pruning;
    try {
      this.#pruned.inc({ table }, await prune(pool, pruning, { signal }));
    } catch (error) {
      log.warn('a table could not be pruned; it will be tried again', { table, error });
    }
  }
}

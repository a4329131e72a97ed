import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';
import type { Log } from '../log.ts';
import { NotReady } from '../problem.ts';
import { createPool, inTransaction, sqlOf, unlimited } from './postgres.ts';
import { moveSequencesOn } from './sequences.ts';
import type { Sql } from './sql.ts';

export interface DatabaseIdentityOptions {
  /** the database, as the owner of its tables */
  url: string;
  /** brings the tables up to date: the copy that was restored may be of an earlier release */
  migrate: (pool: pg.Pool) => Promise<void>;
  /**
   * what the service does besides when its database was restored; in the transaction that records it
   * @param isLate whether the service has worked on the database before it was noticed
   */
  restored?: ((sql: Sql, isLate: boolean) => Promise<void>) | undefined;
  metrics: Registry;
  log: Log;
}

/** What a database says of itself. */
interface Seen {
  /** the cluster's identifier, its timeline, and the number of the database */
  identity: string;
  /** up to where the write-ahead log is on disk, in bytes: it only grows */
  flushed: number;
}

/** The timeline is that of the log, since `pg_control_checkpoint` has the former one until a checkpoint after the promotion. */
const selectSeen = `SELECT format('%s/%s/%s', system_identifier,
    ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int, oid) AS identity,
    pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint AS flushed
  FROM pg_control_system(), pg_database WHERE datname = current_database()`;

interface Row {
  identity: string;
  restored_at: Date | null;
  /** whether a restore was noticed within the last hour */
  lately: boolean;
}

/**
 * Notices that the database was replaced: restored into another cluster or under a new name, rolled back to a point in time, or
 * taken over by a standby, which may lack what was committed last. All sequences then move on and `restored` runs, in one transaction,
 * before any connection of the service's pools is used. A copy of the files that was put back in place changes no identity; a
 * service that runs notices it by the write-ahead log, which is shorter than before.
 */
export class DatabaseIdentity {
  readonly #options: DatabaseIdentityOptions;
  readonly #restored: Gauge;
  #seen: Seen | undefined;
  #recovering: Promise<void> | undefined;
  #failed = false;

  constructor(options: DatabaseIdentityOptions) {
    this.#options = options;
    this.#restored = new Gauge({
      name: 'sluice_database_restored_timestamp_seconds',
      help: 'When the service last found its database replaced by another one; 0 for never',
      registers: [options.metrics],
    });
  }

  /** Migrates the database and compares it with what is recorded in it. @throws Error where one of these fails */
  async start(): Promise<void> {
    await this.#recover();
  }

  /**
   * Compares the database of a connection with the one that was seen before, and waits until the service has recovered from a change.
   * @throws Error where the database does not answer, or the recovery fails
   */
  async verify(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
    // read before the statement is sent: of statements that overlap the later answer may be of the earlier one
    const before = this.#seen;
    const now = await seenBy(sqlOf(client));
    if (before && isContinuation(before, now)) this.#remember(now);
    else await this.#recover();
  }

  /** Recovers from a restore that was found elsewhere, such as in NATS; one that was noticed within the hour is the same one. */
  async noticeRestore(): Promise<void> {
    await this.#recovering?.catch(() => undefined);
    await this.#recover(true);
  }

  /** @throws NotReady while the service recovers from a change of its database, or could not */
  check(): void {
    if (this.#failed)
      throw new NotReady('the database was replaced, and the recovery failed; it is tried again');
    if (this.#recovering) throw new NotReady('the service recovers from a change of its database');
  }

  async #recover(isReported = false): Promise<void> {
    this.#recovering ??= this.#compare(isReported).finally(() => {
      this.#recovering = undefined;
    });
    await this.#recovering;
  }

  async #compare(isReported: boolean): Promise<void> {
    const { url, migrate, log } = this.#options;
    const before = this.#seen;
    const pool = createPool(url, 1, log, unlimited);
    try {
      await migrate(pool);
      const { now, restoredAt } = await inTransaction(pool, (sql) => this.#record(sql, before, isReported));
      this.#seen = now;
      this.#failed = false;
      this.#restored.set((restoredAt?.getTime() ?? 0) / 1000);
    } catch (error) {
      if (before) {
        this.#failed = true;
        log.error('the recovery from a change of the database failed', { error });
      }
      throw error;
    } finally {
      await pool.end();
    }
  }

  async #record(sql: Sql, before: Seen | undefined, isReported: boolean) {
    const { restored, log } = this.#options;
    const now = await seenBy(sql);
    await sql.query('INSERT INTO database_identity (identity) VALUES ($1) ON CONFLICT DO NOTHING', [
      now.identity,
    ]);
    const [row] = await sql.query<Row>(
      `SELECT identity, restored_at, coalesce(restored_at > now() - interval '1 hour', false) AS lately
       FROM database_identity FOR UPDATE`,
    );
    const isAnother = row?.identity !== now.identity;
    const isShorter =
      before !== undefined && before.identity === now.identity && now.flushed < before.flushed;
    if (!isAnother && !isShorter && !(isReported && row?.lately !== true))
      return { now, restoredAt: row?.restored_at };
    await moveSequencesOn(sql);
    await restored?.(sql, !isAnother && !isShorter);
    const [recorded] = await sql.query<{ restored_at: Date }>(
      'UPDATE database_identity SET identity = $1, restored_at = now() RETURNING restored_at',
      [now.identity],
    );
    log.warn('the database was restored, or another server has taken it over: all ids are moved on', {
      before: row?.identity,
      now: now.identity,
    });
    return { now, restoredAt: recorded?.restored_at };
  }

  #remember(now: Seen): void {
    if (this.#seen && isContinuation(this.#seen, now)) this.#seen = now;
  }
}

function isContinuation(before: Seen, now: Seen): boolean {
  return before.identity === now.identity && now.flushed >= before.flushed;
}

async function seenBy(sql: Sql): Promise<Seen> {
  const [seen] = await sql.query<Seen>(selectSeen);
  if (!seen) throw new Error('the database does not say which it is');
  return seen;
}

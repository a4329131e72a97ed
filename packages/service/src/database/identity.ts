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
  revision: number;
  restored_at: Date | null;
  /** whether a restore was noticed within the last hour */
  lately: boolean;
}

/** It goes with the time, so that after a restore it is higher than all that the lost database has had. */
const nextRevision = 'greatest(revision + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)';

/** Why a database is not the one that it was. */
interface Replacement {
  reason: string;
  before: unknown;
  now: unknown;
}

/**
 * Notices that the database was replaced: restored into another cluster or under a new name, rolled back to a point in time, or
 * taken over by a standby, which may lack what was committed last. All sequences then move on and `restored` runs, in one transaction,
 * before any connection of the service's pools is used. A copy of the files that was put back in place changes no identity; a
 * service that runs notices it by the write-ahead log, which is shorter than before, and one that starts by the revision that is
 * recorded outside of the database.
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

  /**
   * Migrates the database and compares it with what is recorded in it.
   * @param recorded a revision that the database has had, as far as is known outside of it
   * @throws Error where one of these fails
   */
  async start(recorded = 0): Promise<void> {
    await this.#recover({ recorded });
  }

  /** @returns the revision of the database, which is higher from now on */
  async raiseRevision(sql: Sql): Promise<number> {
    const [row] = await sql.query<{ revision: number }>(
      `UPDATE database_identity SET revision = ${nextRevision} RETURNING revision`,
    );
    if (!row) throw new Error('the database does not have its identity');
    return row.revision;
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

  /** When the database was last found to be replaced, as it says itself; null for never. */
  async restoredAt(sql: Sql): Promise<Date | null> {
    const [row] = await sql.query<Pick<Row, 'restored_at'>>('SELECT restored_at FROM database_identity');
    return row?.restored_at ?? null;
  }

  /** Recovers from a restore that was found elsewhere, such as in NATS; one that was noticed within the hour is the same one. */
  async noticeRestore(): Promise<void> {
    await this.#recovering?.catch(() => undefined);
    await this.#recover({ isReported: true });
  }

  /** @throws NotReady while the service recovers from a change of its database, or could not */
  check(): void {
    if (this.#failed)
      throw new NotReady('the database was replaced, and the recovery failed; it is tried again');
    if (this.#recovering) throw new NotReady('the service recovers from a change of its database');
  }

  async #recover(known: { recorded?: number; isReported?: boolean } = {}): Promise<void> {
    this.#recovering ??= this.#compare(known).finally(() => {
      this.#recovering = undefined;
    });
    await this.#recovering;
  }

  async #compare(known: { recorded?: number; isReported?: boolean }): Promise<void> {
    const { url, migrate, log } = this.#options;
    const before = this.#seen;
    const pool = createPool(url, 1, log, unlimited);
    try {
      await migrate(pool);
      const { now, restoredAt } = await inTransaction(pool, (sql) => this.#record(sql, before, known));
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

  async #record(
    sql: Sql,
    before: Seen | undefined,
    { recorded = 0, isReported = false }: { recorded?: number; isReported?: boolean },
  ) {
    const { restored, log } = this.#options;
    const now = await seenBy(sql);
    await sql.query('INSERT INTO database_identity (identity) VALUES ($1) ON CONFLICT DO NOTHING', [
      now.identity,
    ]);
    const [row] = await sql.query<Row>(
      `SELECT identity, revision, restored_at, coalesce(restored_at > now() - interval '1 hour', false) AS lately
       FROM database_identity FOR UPDATE`,
    );
    if (!row) throw new Error('the database does not keep its identity');
    const replaced =
      replacement(before, now, row, recorded) ?? (isReported && !row.lately ? reported : undefined);
    if (!replaced) return { now, restoredAt: row.restored_at };
    await moveSequencesOn(sql);
    await restored?.(sql, replaced === reported);
    const [updated] = await sql.query<{ restored_at: Date }>(
      `UPDATE database_identity SET identity = $1, restored_at = now(), revision = greatest(${nextRevision}, $2::bigint + 1)
       RETURNING restored_at`,
      [now.identity, recorded],
    );
    log.warn('the database was restored, or another server has taken it over: all ids are moved on', {
      ...replaced,
    });
    return { now, restoredAt: updated?.restored_at };
  }

  #remember(now: Seen): void {
    if (this.#seen && isContinuation(this.#seen, now)) this.#seen = now;
  }
}

const reported: Replacement = { reason: 'NATS', before: undefined, now: undefined };

/** @param recorded the revision that is known outside of the database */
function replacement(
  before: Seen | undefined,
  now: Seen,
  row: Row,
  recorded: number,
): Replacement | undefined {
  if (row.identity !== now.identity) return { reason: 'identity', before: row.identity, now: now.identity };
  if (row.revision < recorded) return { reason: 'revision', before: recorded, now: row.revision };
  if (before?.identity === now.identity && now.flushed < before.flushed)
    return { reason: 'length of the log', before: before.flushed, now: now.flushed };
  return undefined;
}

function isContinuation(before: Seen, now: Seen): boolean {
  return before.identity === now.identity && now.flushed >= before.flushed;
}

async function seenBy(sql: Sql): Promise<Seen> {
  const [seen] = await sql.query<Seen>(selectSeen);
  if (!seen) throw new Error('the database does not say which it is');
  return seen;
}

import { hashOfEntry, type ChainedEntry, type TenantId } from '@sluice/contracts';
import { sqlOf, type Log, type Sql } from '@sluice/service-kit';
import type pg from 'pg';
import { insertEntries, makePartition, monthOf, type LogEntry } from '../../stores/log-entries.store.ts';
import { lockHeads, moveHeads } from '../../stores/log-heads.store.ts';
import type { Counts } from './counts.ts';

/** What there is to record of an event; the log says the rest. */
export type Draft = Omit<ChainedEntry, 'seq' | 'recorded_at'> & {
  /** of an entry from before there was this log: when it happened; default: now */
  recorded_at?: Date;
};

export interface LogDependencies {
  pool: pg.Pool;
  counts: Counts;
  now: () => Date;
  log: Log;
}
export type LogService = ReturnType<typeof logService>;

/** no partition is made for a time before: whoever says that something happened then is wrong */
const firstTime = Date.UTC(2020);
const everyMilliseconds = 60 * 60 * 1000;
/** months for which there are partitions before they begin */
const monthsAhead = 2;

/** The log as it is stored: partitions by month, in each tenant's part a chain (decision 069). */
export function logService({ pool, counts, now, log }: LogDependencies) {
  /** for which this process has seen to it that there is a partition */
  const months = new Set<string>();

  async function makeMonth(sql: Sql, time: Date): Promise<void> {
    if (months.has(monthOf(time))) return;
    await makePartition(sql, time);
  }

  async function makeAhead(): Promise<void> {
    const today = now();
    for (let ahead = 0; ahead <= monthsAhead; ahead++) {
      const time = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + ahead, 1));
      await makeMonth(sqlOf(pool), time);
      months.add(monthOf(time));
    }
  }

  let timer: NodeJS.Timeout | undefined;
  return {
    /** Makes partitions ahead, now and from now on. */
    async start(): Promise<void> {
      await makeAhead();
      timer = setInterval(() => {
        makeAhead().catch((error: unknown) =>
          log.warn('partitions of the log could not be made; it will be tried again', { error }),
        );
      }, everyMilliseconds);
    },

    stop(): void {
      clearInterval(timer);
    },

    /** Keeps everybody else from adding to the logs of these tenants until the transaction ends. */
    async lock(sql: Sql, tenants: Iterable<TenantId>): Promise<void> {
      await lockHeads(sql, [...new Set(tenants)]);
    },

    /** Adds to the logs of tenants, in this order, in the transaction of `sql`: with it, all of it is there or nothing. */
    async append(sql: Sql, drafts: readonly Draft[]): Promise<void> {
      if (drafts.length === 0) return;
      const tenants = [...new Set(drafts.map(({ tenant_id }) => tenant_id as TenantId))];
      const heads = await lockHeads(sql, tenants);
      const before = new Map(heads);
      const time = now();
      const entries: LogEntry[] = [];
      for (const draft of drafts) {
        const tenant = draft.tenant_id as TenantId;
        const head = heads.get(tenant);
        if (!head) throw new Error(`the log of tenant ${tenant} has no head`);
        const entry = entryAfter(head, draft, time);
        heads.set(tenant, { seq: entry.seq, hash: entry.hash, recordedAt: new Date(entry.recorded_at) });
        entries.push(entry);
      }
      const used = new Map(
        entries.map(({ recorded_at }) => [recorded_at.slice(0, 7), new Date(recorded_at)]),
      );
      for (const month of used.values()) await makeMonth(sql, month);
      await insertEntries(sql, entries);
      await moveHeads(sql, heads);
      for (const [tenant, { seq }] of heads) counts.grown(tenant, before.get(tenant)?.seq ?? 0, seq);
    },
  };
}

/** The clocks of replicas differ: no entry is recorded before the one that it comes after. */
function entryAfter(
  head: { seq: number; hash: string; recordedAt: Date },
  { recorded_at = undefined, ...draft }: Draft,
  now: Date,
): LogEntry {
  const said = Math.min((recorded_at ?? now).getTime(), now.getTime());
  const time = Math.max(said, head.recordedAt.getTime(), firstTime);
  const entry = { ...draft, seq: head.seq + 1, recorded_at: new Date(time).toISOString() };
  return { ...entry, prev_hash: head.hash, hash: hashOfEntry(entry, head.hash) };
}

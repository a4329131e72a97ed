import { setImmediate as endOfTurn } from 'node:timers/promises';
import {
  hashInPlace,
  textOfEntry,
  type ChainedEntry,
  type EntryText,
  type TenantId,
} from '@sluice/contracts';
import { sqlOf, type Log, type Sql } from '@sluice/service';
import type pg from 'pg';
import {
  arraysOf,
  insertEntries,
  makePartition,
  monthOf,
  type LogEntry,
} from '../../stores/log-entries.store.ts';
import { lockHeads, moveHeads, type LogHead } from '../../stores/log-heads.store.ts';
import type { Counts } from './counts.ts';

/** What there is to record of an event; the log says the rest. */
export type Draft = Omit<ChainedEntry, 'seq' | 'recorded_at'> & {
  /** when its event came to NATS; default: now */
  recorded_at?: Date;
};

/** A draft with all that can be done before its place in the log is known: nobody waits for that. */
export interface PreparedDraft {
  draft: Draft;
  text: EntryText;
}

export const preparedDraft = (draft: Draft): PreparedDraft => ({ draft, text: textOfEntry(draft) });

export interface LogDependencies {
  pool: pg.Pool;
  counts: Counts;
  now: () => Date;
  log: Log;
}
export type LogService = ReturnType<typeof logService>;

/** no partition is made for a time before: whoever says that something happened then is wrong */
const firstTime = Date.UTC(2020);
/** by how much the clock of NATS may be ahead: an entry recorded in the far future would take all after it along */
const mostAhead = 60 * 60 * 1000;
/** entries of one statement: while they are being stored, the next are chained to them */
const storedAtOnce = 250;
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
    async append(sql: Sql, drafts: readonly PreparedDraft[]): Promise<void> {
      if (drafts.length === 0) return;
      const tenants = [...new Set(drafts.map(({ draft }) => draft.tenant_id as TenantId))];
      const heads = await lockHeads(sql, tenants);
      const before = new Map(heads);
      const time = now();
      let storing = Promise.resolve();
      for (let first = 0; first < drafts.length; first += storedAtOnce) {
        // the statement has to be on its way
        if (first > 0) await endOfTurn();
        const some = drafts.slice(first, first + storedAtOnce);
        const entries = some.map((prepared) => addTo(heads, prepared, time));
        const arrays = arraysOf(entries);
        await storing;
        storing = store(sql, entries, arrays);
        // whoever waits for it is told, a turn later
        storing.catch(() => undefined);
      }
      await storing;
      await moveHeads(sql, heads);
      for (const [tenant, { seq }] of heads) counts.grown(tenant, before.get(tenant)?.seq ?? 0, seq);
    },
  };

  async function store(sql: Sql, entries: readonly LogEntry[], arrays: readonly string[]): Promise<void> {
    const used = new Map(entries.map(({ recorded_at }) => [recorded_at.slice(0, 7), recorded_at]));
    for (const month of used.values()) await makeMonth(sql, new Date(month));
    await insertEntries(sql, arrays);
  }
}

/** Chains an entry to the last one of its tenant's log, which it is from now on. */
function addTo(
  heads: Map<TenantId, LogHead>,
  { draft: { recorded_at: said = undefined, ...draft }, text }: PreparedDraft,
  now: Date,
): LogEntry {
  const tenant = draft.tenant_id as TenantId;
  const head = heads.get(tenant);
  if (!head) throw new Error(`the log of tenant ${tenant} has no head`);
  const recordedAt = timeAfter(head, said ?? now, now);
  const place = { seq: head.seq + 1, recorded_at: recordedAt.toISOString() };
  const hash = hashInPlace(text, place, head.hash);
  heads.set(tenant, { seq: place.seq, hash, recordedAt });
  return { ...draft, ...place, prev_hash: head.hash, hash };
}

/**
 * No entry is recorded before the one that it comes after. The clock of the replica has no part, or the entry would have another hash when
 * the log is read again after a restore.
 */
function timeAfter(head: LogHead, said: Date, now: Date): Date {
  const time = said.getTime() > now.getTime() + mostAhead ? now.getTime() : said.getTime();
  return new Date(Math.max(time, head.recordedAt.getTime(), firstTime));
}

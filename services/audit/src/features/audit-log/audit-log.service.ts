import { setImmediate as endOfTurn } from 'node:timers/promises';
import {
  hashInPlace,
  textOfEntry,
  type ChainedEntry,
  type EntryText,
  type TenantId,
} from '@sluice/contracts';
import type { Job } from '@sluice/controller';
import type { Database } from '../../database/tables.ts';
import { arraysOf, insertEntries, makePartition, monthOf, type LogEntry } from './log-entries.store.ts';
import { lockHeads, moveHeads, type LogHead } from './log-heads.store.ts';
import type { Counts } from './counts.ts';

/** What an event says; the audit log adds the rest. */
export type Draft = Omit<ChainedEntry, 'seq' | 'recorded_at'> & {
  /** when its event came to NATS; default: now */
  recorded_at?: Date;
};

/** A draft with all that can be computed before its place in the log is known, so outside of the lock. */
export interface PreparedDraft {
  draft: Draft;
  text: EntryText;
}

export const preparedDraft = (draft: Draft): PreparedDraft => ({ draft, text: textOfEntry(draft) });

export interface AuditLogDependencies {
  database: Database;
  counts: Pick<Counts, 'grown'>;
  now: () => Date;
}
export type AuditLog = ReturnType<typeof auditLogService>;

/** no partition is made for a time before: a sender whose events happened then is wrong */
const firstTime = Date.UTC(2020);
/** by how much the clock of NATS may be ahead: an entry recorded in the far future would take all after it along */
const mostAhead = 60 * 60 * 1000;
/** entries of one statement: while they are being stored, the next are chained to them */
const storedAtOnce = 250;
/** months for which there are partitions before they begin */
const monthsAhead = 2;

/** The audit log as it is stored: partitions by month, in each tenant's part a chain (decision 069). */
export function auditLogService({ database, counts, now }: AuditLogDependencies) {
  /** for which this process has seen to it that there is a partition */
  const months = new Set<string>();

  async function makeMonth(db: Database, time: Date): Promise<void> {
    if (months.has(monthOf(time))) return;
    await makePartition(db, time);
  }

  /** Makes the partitions of the coming months. */
  async function makeAhead(): Promise<void> {
    const today = now();
    for (let ahead = 0; ahead <= monthsAhead; ahead++) {
      const time = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + ahead, 1));
      await makeMonth(database, time);
      months.add(monthOf(time));
    }
  }

  return {
    makeAhead,
    job: { name: 'log_partitions', every: 3_600, run: makeAhead } satisfies Job,

    /** Lets no other transaction add to the logs of these tenants until this one ends. */
    async lock(db: Database, tenants: Iterable<TenantId>): Promise<void> {
      await lockHeads(db, [...new Set(tenants)]);
    },

    /** Adds to the logs of tenants, in this order, in the transaction of `db`: with it, all of it is there or nothing. */
    async append(db: Database, drafts: readonly PreparedDraft[]): Promise<void> {
      if (drafts.length === 0) return;
      const tenants = [...new Set(drafts.map(({ draft }) => draft.tenant_id as TenantId))];
      const heads = await lockHeads(db, tenants);
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
        storing = store(db, entries, arrays);
        // its error is thrown where it is waited for, a turn later
        storing.catch(() => undefined);
      }
      await storing;
      await moveHeads(db, heads);
      for (const [tenant, { seq }] of heads) counts.grown(tenant, before.get(tenant)?.seq ?? 0, seq);
    },
  };

  async function store(db: Database, entries: readonly LogEntry[], arrays: readonly string[]): Promise<void> {
    const used = new Map(entries.map(({ recorded_at }) => [recorded_at.slice(0, 7), recorded_at]));
    for (const month of used.values()) await makeMonth(db, new Date(month));
    await insertEntries(db, arrays);
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

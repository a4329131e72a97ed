import { hashOfEntry, type ChainHead, type TenantId } from '@sluice/contracts';
import type { Sql } from '@sluice/service-kit';
import { entriesBetween, type LogEntry } from '../../stores/log-entries.store.ts';
import { endsOfLog } from '../../stores/log-heads.store.ts';

/** What is wrong with an entry. */
export type BreakReason =
  /** what it says is not what its hash was taken over */
  | 'changed'
  /** it is not chained to the one before it */
  | 'unlinked'
  /** there is none of this number */
  | 'missing'
  /** it is one more than there can be */
  | 'added'
  /** its hash was another one when it was published */
  | 'rewritten';

export interface Break {
  seq: number;
  reason: BreakReason;
}

/** A head that was published, by its number. */
export type KnownHashes = ReadonlyMap<number, ReadonlySet<string>>;

/** How far a log is as it was recorded. */
export interface Checked {
  anchor: ChainHead;
  /** the last entry that is */
  last: ChainHead;
  entries: number;
  /** published heads that agree */
  agreed: number;
  broken: Break | undefined;
}

/** entries that are read at a time, and so are all that is in memory */
const batchSize = 500;

/** Follows the chain of a tenant's log from its anchor to its head, and finds the first entry that does not fit. */
export async function checkChain(sql: Sql, tenant: TenantId, known: KnownHashes): Promise<Checked> {
  const ends = await endsOfLog(sql, tenant);
  const checked: Checked = {
    ...{ anchor: ends.anchor, last: ends.anchor, entries: 0, agreed: 0, broken: undefined },
  };
  checked.broken = compare(checked, ends.anchor, known);
  while (!checked.broken && checked.last.seq < ends.head.seq) {
    const first = checked.last.seq + 1;
    const last = Math.min(checked.last.seq + batchSize, ends.head.seq);
    checked.broken = follow(checked, await entriesBetween(sql, tenant, first, last), last, known);
    if (checked.broken?.reason !== 'missing') continue;
    // a month may have gone meanwhile: the rest is chained to what it has left
    const { anchor } = await endsOfLog(sql, tenant);
    if (anchor.seq < checked.broken.seq) continue;
    Object.assign(checked, { anchor, last: anchor, broken: undefined });
  }
  checked.broken ??= breakAtEnd(checked.last, ends.head, ends.last);
  return checked;
}

function follow(
  checked: Checked,
  entries: readonly LogEntry[],
  until: number,
  known: KnownHashes,
): Break | undefined {
  for (const entry of entries) {
    const broken = breakAt(checked.last, entry);
    if (broken) return broken;
    const head = { seq: entry.seq, hash: entry.hash };
    const rewritten = compare(checked, head, known);
    if (rewritten) return rewritten;
    checked.last = head;
    checked.entries += 1;
  }
  return checked.last.seq < until ? { seq: checked.last.seq + 1, reason: 'missing' } : undefined;
}

/** What is wrong with the entry that follows, if anything. */
function breakAt(last: ChainHead, { hash, prev_hash, ...entry }: LogEntry): Break | undefined {
  if (entry.seq <= last.seq) return { seq: entry.seq, reason: 'added' };
  if (entry.seq > last.seq + 1) return { seq: last.seq + 1, reason: 'missing' };
  if (hashOfEntry(entry, prev_hash) !== hash) return { seq: entry.seq, reason: 'changed' };
  return prev_hash === last.hash ? undefined : { seq: entry.seq, reason: 'unlinked' };
}

/** Counts a head that agrees with what was published. */
function compare(checked: Checked, { seq, hash }: ChainHead, known: KnownHashes): Break | undefined {
  const published = known.get(seq);
  if (!published) return undefined;
  if (published.size !== 1 || !published.has(hash)) return { seq, reason: 'rewritten' };
  checked.agreed += 1;
  return undefined;
}

function breakAtEnd({ seq, hash }: ChainHead, head: ChainHead, last: number): Break | undefined {
  if (seq === head.seq && hash !== head.hash) return { seq, reason: 'rewritten' };
  return last > seq && last > head.seq ? { seq: head.seq + 1, reason: 'added' } : undefined;
}

import { hashOfEntry, type ChainHead, type TenantId } from '@sluice/contracts';
import type { Sql } from '@sluice/service';
import type { Database } from '../../database/tables.ts';
import { monthOf, type LogEntry } from '../../stores/log-entries.store.ts';
import { endsOfLog, type LogEnds } from '../../stores/log-heads.store.ts';
import { findEntriesIn, type Bounds } from '../../stores/log-reading.store.ts';

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

/** Heads that were published, by their numbers: with all hashes that were, and when the entry was recorded, where that was said. */
export type KnownHeads = ReadonlyMap<number, { hashes: ReadonlySet<string>; recordedAt: Date }>;

/** How far a log is as it was recorded. */
export interface Checked {
  anchor: ChainHead;
  /** the last entry that is */
  last: ChainHead;
  entries: number;
  /** published heads that agree */
  agreed: number;
  /** the newest published head that is beyond the end of the log */
  missing: ChainHead | undefined;
  broken: Break | undefined;
}

/** what is in memory at a time */
const most: Bounds = { entries: 500, bytes: 2 ** 20 };
/** what was recorded since then has no plan given up, clocks included */
const shortestRetention = 7 * 24 * 3_600_000;

/** Follows the chain of a tenant's log from its anchor to its head, and finds the first entry that does not fit. */
export async function checkChain(
  { database, sql, now }: { database: Database; sql: Sql; now: Date },
  tenant: TenantId,
  known: KnownHeads,
  bounds = most,
): Promise<Checked> {
  const ends = await endsOfLog(sql, tenant);
  const checked: Checked = {
    ...{ anchor: ends.anchor, last: ends.anchor, entries: 0, agreed: 0, broken: undefined },
    missing: headBeyond(ends.head, known),
  };
  checked.broken = breakBefore(ends, known, now) ?? compare(checked, ends.anchor, known);
  let isAll = true;
  let afterTime: Date | undefined;
  while (!checked.broken && (checked.last.seq < ends.head.seq || !isAll)) {
    const after = checked.last.seq;
    const upTo = Math.min(after + bounds.entries, ends.head.seq);
    const found = await findEntriesIn(database, { tenant }, { after, afterTime, upTo }, bounds);
    checked.broken = follow(checked, found.entries, known);
    isAll = found.isAll;
    if (isAll && checked.last.seq < upTo) checked.broken ??= missingAfter(checked.last);
    afterTime = timeOf(found.entries.at(-1));
    if (checked.broken?.reason !== 'missing') continue;
    // a month may have gone meanwhile: the rest is chained to what it has left
    const { anchor } = await endsOfLog(sql, tenant);
    if (anchor.seq < checked.broken.seq) continue;
    Object.assign(checked, { anchor, last: anchor, broken: undefined });
    afterTime = undefined;
  }
  checked.broken ??= breakAtEnd(checked.last, ends, known);
  return checked;
}

const timeOf = (entry: LogEntry | undefined) => entry && new Date(entry.recorded_at);
const missingAfter = ({ seq }: ChainHead): Break => ({ seq: seq + 1, reason: 'missing' });

function follow(checked: Checked, entries: readonly LogEntry[], known: KnownHeads): Break | undefined {
  for (const entry of entries) {
    const broken = breakAt(checked.last, entry);
    if (broken) return broken;
    const head = { seq: entry.seq, hash: entry.hash };
    const rewritten = compare(checked, head, known);
    if (rewritten) return rewritten;
    checked.last = head;
    checked.entries += 1;
  }
  return undefined;
}

/** What is wrong with the entry that follows, if anything. */
function breakAt(last: ChainHead, { hash, prev_hash, ...entry }: LogEntry): Break | undefined {
  if (entry.seq <= last.seq) return { seq: entry.seq, reason: 'added' };
  if (entry.seq > last.seq + 1) return missingAfter(last);
  if (hashOfEntry(entry, prev_hash) !== hash) return { seq: entry.seq, reason: 'changed' };
  return prev_hash === last.hash ? undefined : { seq: entry.seq, reason: 'unlinked' };
}

/** Counts a head that agrees with what was published. */
function compare(checked: Checked, { seq, hash }: ChainHead, known: KnownHeads): Break | undefined {
  const published = known.get(seq)?.hashes;
  if (!published) return undefined;
  if (published.size !== 1 || !published.has(hash)) return { seq, reason: 'rewritten' };
  checked.agreed += 1;
  return undefined;
}

/**
 * What stands before the first entry would be listed, and is a part of no chain. What is gone has to be of a month of which nothing is
 * left, and older than any retention: else somebody has taken entries away, and made an anchor of the last of them.
 */
function breakBefore({ anchor, first }: LogEnds, known: KnownHeads, now: Date): Break | undefined {
  if (first && first.seq <= anchor.seq) return { seq: first.seq, reason: 'added' };
  const month = first ? Date.parse(monthOf(first.recordedAt)) : Infinity;
  const kept = Math.min(month, now.getTime() - shortestRetention);
  let gone: number | undefined;
  for (const [seq, { recordedAt }] of known)
    if (seq <= anchor.seq && recordedAt.getTime() >= kept) gone = Math.min(seq, gone ?? seq);
  return gone === undefined ? undefined : { seq: gone, reason: 'missing' };
}

/** `known` was read before the end of the log, and heads are published of committed entries: a log without such an entry has lost it. */
function headBeyond({ seq: end }: ChainHead, known: KnownHeads): ChainHead | undefined {
  let seq = 0;
  for (const published of known.keys()) seq = Math.max(seq, published);
  const [hash] = known.get(seq)?.hashes ?? [];
  return seq > end && hash !== undefined ? { seq, hash } : undefined;
}

/** Whoever takes entries off the end can set the head back as well, but not what was published of them. */
function breakAtEnd({ seq, hash }: ChainHead, { head, last }: LogEnds, known: KnownHeads): Break | undefined {
  if (seq === head.seq && hash !== head.hash) return { seq, reason: 'rewritten' };
  if (last !== undefined && last > seq && last > head.seq) return { seq: head.seq + 1, reason: 'added' };
  return [...known.keys()].some((published) => published > seq) ? missingAfter({ seq, hash }) : undefined;
}

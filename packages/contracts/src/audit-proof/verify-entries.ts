import { emptyChain, textInPlace, textOfEntry } from '../audit-text.ts';
import type { ExportedEntry } from '../audit-export.ts';
import { Broken } from './broken.ts';
import type { Verified } from './conclusions.ts';
import type { KnownHead } from './known-heads.ts';

/** An entry, and where it stands. */
export interface PlacedEntry {
  entry: ExportedEntry;
  at: string;
}

/** SHA-256 of a text, in hex: by Node, or by WebCrypto in a browser. */
type Sha256 = (text: string) => string | Promise<string>;

export interface VerifyOptions {
  /** entries may be left out */
  partial: boolean;
  heads: readonly KnownHead[];
}

/**
 * Follows the chain from entry to entry, and compares it with the heads that are known.
 * @throws Broken at the first entry that is not as it was recorded, or does not follow the one before it
 */
export async function followEntries(
  entries: AsyncIterable<PlacedEntry>,
  { partial, heads, sha256 }: VerifyOptions & { sha256: Sha256 },
): Promise<Verified> {
  const found: Verified = {
    ...{ entries: 0, tenant: undefined, first: 0, last: emptyChain },
    ...{ heads: 0, vouched: 0, head: undefined },
  };
  // those of which each is chained to the next, and no head to them yet
  let open = 0;
  const known = new Map<number, KnownHead[]>();
  let gap: Gap | undefined;
  for await (const { entry, at } of entries) {
    if (gap?.has(entry.seq))
      throw new Broken(`${at}: entry ${entry.seq} was moved: it stands behind entry ${gap.before}`);
    if (gap) continue;
    found.tenant ??= tenantOf(entry, heads, known);
    if (entry.tenant_id !== found.tenant)
      throw new Broken(
        `${at}: entry ${entry.seq} is of tenant ${entry.tenant_id}, and not of ${found.tenant}`,
      );
    gap = partial ? undefined : gapBefore(found, entry, at);
    if (gap) continue;
    await follow(found, entry, at, sha256);
    const before = known.get(entry.seq - 1) ?? [];
    if (found.entries === 0) found.heads += compare(before, entry.prev_hash, at);
    open = entry.seq === found.last.seq + 1 ? open + 1 : 1;
    const here = known.get(entry.seq) ?? [];
    found.heads += compare(here, entry.hash, at);
    if (here[0]) {
      found.vouched += open;
      found.head = here[0];
      open = 0;
    }
    if (found.entries === 0) found.first = entry.seq;
    found.entries++;
    found.last = { seq: entry.seq, hash: entry.hash };
  }
  if (gap) throw new Broken(gap.message);
  const beyond = [...known.keys()].filter((seq) => seq > found.last.seq);
  if (beyond.length > 0 && !partial)
    throw new Broken(
      `the end is missing: entry ${found.last.seq} is the last one here, and ${beyond.reduce((most, seq) => Math.max(most, seq))} is known to exist`,
    );
  return found;
}

function tenantOf(
  { tenant_id }: ExportedEntry,
  heads: readonly KnownHead[],
  known: Map<number, KnownHead[]>,
) {
  for (const head of heads)
    if (head.tenant_id === tenant_id) known.set(head.seq, [...(known.get(head.seq) ?? []), head]);
  return tenant_id;
}

/** Entries that are not where they should be: they are missing, or come later. */
interface Gap {
  message: string;
  before: number;
  has: (seq: number) => boolean;
}

function gapBefore({ entries, last }: Verified, { seq }: ExportedEntry, at: string): Gap | undefined {
  const next = last.seq + 1;
  if (entries === 0 || seq <= next) return undefined;
  return {
    message: `${at}: ${missing(next, seq - 1)} missing before entry ${seq}`,
    before: seq,
    has: (other) => other >= next && other < seq,
  };
}

async function follow(
  { entries, last }: Verified,
  entry: ExportedEntry,
  at: string,
  sha256: Sha256,
): Promise<void> {
  const { seq, prev_hash, hash } = entry;
  if ((await sha256(textInPlace(textOfEntry(entry), entry, prev_hash))) !== hash)
    throw new Broken(`${at}: entry ${seq} was changed`);
  const before = entries === 0 && seq === 1 ? emptyChain : last;
  if (entries > 0 && seq <= last.seq)
    throw new Broken(`${at}: entry ${seq} does not belong behind ${last.seq}`);
  const isNext = seq === before.seq + 1 && (entries > 0 || seq === 1);
  if (isNext && prev_hash !== before.hash)
    throw new Broken(
      `${at}: entry ${seq} is not chained to entry ${before.seq}, which was put in another's place`,
    );
}

const missing = (first: number, last: number) =>
  first === last ? `entry ${first} is` : `entries ${first} to ${last} are`;

function compare(known: readonly KnownHead[], hash: string, at: string): number {
  for (const head of known)
    if (head.hash !== hash)
      throw new Broken(
        `${at}: the log was written anew: entry ${head.seq} had another hash when it was published`,
      );
  return known.length;
}

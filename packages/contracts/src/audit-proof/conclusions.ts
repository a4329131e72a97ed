import type { ChainHead } from '../audit-text.ts';
import type { KnownHead, KnownHeads } from './known-heads.ts';

/** What an export that holds together was found to have. */
export interface Verified {
  entries: number;
  tenant: number | undefined;
  first: number;
  last: ChainHead;
  /** known heads that were compared */
  heads: number;
  /** entries to which a known head is chained, and the last of these heads */
  vouched: number;
  head: KnownHead | undefined;
}

/** Says in plain words what an export that holds together proves, and what it does not. */
export function conclusions(
  found: Verified,
  known: KnownHeads,
  how: { partial: boolean; signed: boolean },
): string[] {
  const { entries, tenant, first, last } = found;
  if (entries === 0) return ['There are no entries, and nothing is proven.'];
  return [
    `${entries} entries of tenant ${tenant}, ${first} to ${last.seq}. The last one has the hash ${last.hash}.`,
    ...proven(found, how).map((what) => `Proven: ${what}.`),
    ...notProven(found, how).map((what) => `Not proven: ${what}.`),
    ...passedOver('not signed by the audit service with this key', known.refused),
    ...passedOver('no heads of a log', known.unreadable),
  ];
}

function proven(
  { entries, heads, vouched, head }: Verified,
  { partial, signed }: { partial: boolean; signed: boolean },
): string[] {
  const chained = partial
    ? 'each entry is what its hash was taken over, and follows the one before it where that is here'
    : 'each entry is what its hash was taken over and follows the one before it: none was changed, removed, added or moved by itself';
  if (!head) return [chained];
  const which = vouched === entries ? `all ${entries} entries` : `${vouched} of ${entries} entries`;
  const until = partial ? '' : `, up to ${head.seq},`;
  const agree = heads === 1 ? 'a head agrees' : `${heads} heads agree`;
  if (!signed || !head.signed)
    return [chained, `${which}${until} are those of heads that were published: ${agree}`];
  const { by, at } = head.signed;
  return [
    chained,
    `${which}${until} are those that the audit service had by ${at}: ${agree}, signed by ${by}`,
  ];
}

function notProven(
  { entries, first, last, vouched, head }: Verified,
  { partial, signed }: { partial: boolean; signed: boolean },
): string[] {
  const anew = (what: string) => `the owner of the database could have written ${what} anew`;
  const rest = entries - vouched;
  const open = [];
  if (rest === entries)
    open.push(`that this is what was first recorded: no head vouches for it, and ${anew('it')}`);
  else if (rest > 0)
    open.push(`${rest} ${rest === 1 ? 'entry' : 'entries'} that no head is chained to: ${anew('them')}`);
  if (head && !signed)
    open.push('that these heads are the word of the audit service: name its key with --key');
  if (first > 1) open.push(`what was recorded before entry ${first}`);
  open.push(
    partial
      ? 'that nothing was left out that the filter asks for'
      : `that entry ${last.seq} is the last of the log`,
  );
  return open;
}

const mostPlaces = 10;

function passedOver(what: string, places: readonly string[]): string[] {
  if (places.length === 0) return [];
  const more = places.length > mostPlaces ? ', …' : '';
  return [`Left out: ${places.length} that are ${what} (${places.slice(0, mostPlaces).join('; ')}${more}).`];
}

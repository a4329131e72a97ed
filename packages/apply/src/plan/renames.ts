import { pathOf } from '../place-path.ts';
import { keyOf, type Existing, type Organization, type Wanted } from '../entries.ts';
import type { Obstacle } from './types.ts';

/**
 * What there is, under the names that the document has: `was` moves an entry with everything in it. Ids follow.
 * A name that is there already is no rename: it was done before.
 */
export function withRenames(
  wanted: ReadonlyMap<string, Wanted>,
  { entries, ids, away }: Organization,
  obstacles: Obstacle[],
): Map<string, Existing> {
  const renamed = new Map(entries);
  // divisions come before their environments
  for (const entry of wanted.values()) {
    if (entry.was === undefined) continue;
    const before = beforeOf(entry);
    const oldKey = keyOf({ kind: entry.kind, place: before });
    const old = renamed.get(oldKey);
    if (!old) continue;
    if (renamed.has(keyOf(entry))) {
      obstacles.push({
        reason: 'conflict',
        message: `${entry.at}: the ${entry.kind} ${entry.place} was ${entry.was}, and there are both.`,
        next: 'delete one of them, or leave `was` out',
      });
      continue;
    }
    for (const [key, found] of [...renamed]) {
      const place = moved(found.place, before, entry.place);
      // what belongs to the tenant only has the same name
      const isInside = isPlace(entry) && found.parent !== null && place !== undefined;
      if (key !== oldKey && !isInside) continue;
      renamed.delete(key);
      const parent = found.parent === null ? null : parentMoved(found.parent, before, entry.place);
      const now = {
        ...found,
        place: place ?? entry.place,
        parent,
        name: key === oldKey ? entry.name : found.name,
      };
      renamed.set(keyOf(now), now);
      ids.set(keyOf(now), now.id);
      const reason = away.get(key);
      if (reason) away.set(keyOf(now), reason);
    }
    for (const [key, id] of ids.entries()) {
      const [kind = ''] = key.split(' ', 1);
      const place =
        ['environment', 'deployment'].includes(kind) &&
        moved(key.slice(kind.length + 1), before, entry.place);
      if (place && isPlace(entry)) ids.set(`${kind} ${place}`, id);
    }
  }
  return renamed;
}

const isPlace = ({ kind }: Wanted): boolean => kind === 'division' || kind === 'environment';

/** The place of an entry before it was renamed, inside of what its parents are called now. */
function beforeOf({ kind, place, name, was = '' }: Wanted): string {
  if (kind === 'role') return was;
  if (kind === 'channel') return place === name ? was : `${place.slice(0, -name.length)}${was}`;
  return [...place.split('/').slice(0, -1), pathOf(was)].join('/');
}

/** A place that is, or is in, what was renamed. */
function moved(place: string, before: string, after: string): string | undefined {
  if (place === before) return after;
  const rest = place.slice(before.length);
  return place.startsWith(before) && /^[/:]/.test(rest) ? `${after}${rest}` : undefined;
}

function parentMoved(parent: string, before: string, after: string): string {
  const [kind = ''] = parent.split(' ', 1);
  return `${kind} ${moved(parent.slice(kind.length + 1), before, after) ?? parent.slice(kind.length + 1)}`;
}

/** What a place is called once the document is applied. */
export function renamesOf(wanted: ReadonlyMap<string, Wanted>): (place: string) => string {
  const renamed = [...wanted.values()].filter((entry) => entry.was !== undefined && isPlace(entry));
  return (place) => renamed.reduce((now, entry) => moved(now, beforeOf(entry), entry.place) ?? now, place);
}

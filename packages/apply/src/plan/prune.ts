import { keyOf, type Existing, type Wanted } from '../entries.ts';
import { isNamed, removal } from './compare.ts';
import type { Step } from './types.ts';

export interface Pruned {
  steps: Step[];
  notes: string[];
}

/**
 * What the set has made and does not want any more. Left, unless it is named, is what is protected or stores messages; and always what has
 * something in it that is left, or that the set has not made.
 * @param messagesIn how many messages a deployment stores; undefined where that is not known
 */
export async function prune(
  wanted: ReadonlyMap<string, Wanted>,
  existing: ReadonlyMap<string, Existing>,
  {
    set,
    named,
    messagesIn,
  }: {
    set: string;
    named: readonly string[];
    messagesIn: (deployment: Existing) => Promise<number | undefined>;
  },
): Promise<Pruned> {
  const notes: string[] = [];
  const candidates = [...existing.values()].filter(
    (entry) => entry.set === set && !wanted.has(keyOf(entry)) && isOnItsOwn(entry, wanted),
  );
  const going = new Set(candidates.map(keyOf));
  const keep = (entry: Existing, reason: string) => {
    going.delete(keyOf(entry));
    notes.push(`The ${entry.kind} ${entry.place} is not deleted: ${reason}`);
  };
  for (const entry of candidates) {
    if (isNamed(entry, named)) continue;
    const hint = `--prune-named ${entry.place} deletes it.`;
    if (entry.fields['protected'] === true) keep(entry, `it is protected. ${hint}`);
    else if (entry.kind === 'deployment') {
      const messages = await messagesIn(entry);
      if (messages === undefined) keep(entry, `it is not known whether it stores messages. ${hint}`);
      else if (messages > 0) keep(entry, `it stores ${messages} messages. ${hint}`);
    }
  }
  // from the inside out
  for (const kind of ['environment', 'division'] as const)
    for (const entry of candidates.filter((one) => one.kind === kind && going.has(keyOf(one)))) {
      const left = [...existing.values()].find((inner) => isInside(inner, entry) && !going.has(keyOf(inner)));
      const wantedInside = [...wanted.values()].find((inner) => isInside(inner, entry));
      const inside = left ?? wantedInside;
      if (inside) keep(entry, `the ${inside.kind} ${inside.place} is in it.`);
    }
  return { steps: candidates.filter((entry) => going.has(keyOf(entry))).map(removal), notes };
}

const places: readonly string[] = ['division', 'environment', 'deployment'];

/** What is in a place that is not wanted goes or stays with it. */
const isOnItsOwn = ({ kind, parent }: Existing, wanted: ReadonlyMap<string, Wanted>): boolean =>
  parent === null || places.includes(kind) || wanted.has(parent);

const isInside = ({ kind, place }: Pick<Existing, 'kind' | 'place'>, outer: Existing): boolean =>
  places.includes(kind) && place.startsWith(`${outer.place}/`);

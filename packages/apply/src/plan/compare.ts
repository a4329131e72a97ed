import { keyOf, type Existing, type Organization, type Wanted } from '../entries.ts';
import { initialRule, removeInitial } from '../kinds/access-rule.ts';
import { kindOf } from '../kinds/index.ts';
import { same, type Comparing, type Run, type Update } from '../kinds/kind.ts';
import { withRenames } from './renames.ts';
import type { FieldChange, Obstacle, Step } from './types.ts';

export interface CompareOptions extends Comparing {
  /** names or places that may be replaced */
  replace: readonly string[];
}

export interface Compared {
  /** what there is, under the names that the document has */
  existing: Map<string, Existing>;
  steps: Step[];
  obstacles: Obstacle[];
}

/** The steps that make of what there is what is wanted. Nothing is sent. */
export function compare(
  wanted: ReadonlyMap<string, Wanted>,
  organization: Organization,
  set: string | undefined,
  options: CompareOptions,
): Compared {
  const obstacles: Obstacle[] = [];
  const existing = withRenames(wanted, organization, obstacles);
  // what was in something that is made anew is gone
  const replaced = new Set<string>();
  const steps = [...wanted.entries()].flatMap(([key, entry]) => {
    if (isInAway(entry, organization)) return [];
    const found = replaced.has(entry.parent ?? '') ? undefined : existing.get(key);
    if (entry.absent) return found ? (refuseForeign(entry, found) ? [] : [removal(found)]) : closing(entry);
    refuseUnknown(entry);
    return found ? changes(entry, found) : [creation(entry)];
  });
  return { existing, steps, obstacles };

  function refuse(entry: Wanted, why: string, more: Pick<Obstacle, 'next' | 'replaceable'> = {}): void {
    const message = `${entry.at}: the ${entry.kind} ${entry.place}: ${why}`;
    obstacles.push({ reason: 'conflict', message, ...more });
  }

  /** The rule that a new deployment will have, and that is not wanted. It goes at once, and not with the deletions at the end. */
  function closing(entry: Wanted): Step[] {
    const parent = entry.parent ?? '';
    const found = existing.get(parent);
    // the region may not know yet what an interrupted run has made
    const isNew = replaced.has(parent) || !found || found.status === 'creating';
    const tier = wanted.get(parent)?.fields['tier'] ?? found?.fields['tier'];
    const { name, tier: open } = initialRule;
    if (entry.kind !== 'access rule' || entry.name !== name || !isNew || tier !== open) return [];
    const changes = [{ field: 'absent', from: undefined, to: true }];
    return [
      {
        ...stepOf(entry, 'update', 'deleteAccessRule', changes),
        after: parentOf(entry),
        send: (run) => removeInitial(entry, run),
      },
    ];
  }

  /** @returns whether another set has made it */
  function refuseForeign(entry: Wanted, found: Existing): boolean {
    const isForeign = found.set !== undefined && set !== undefined && found.set !== set;
    if (isForeign)
      refuse(entry, `it belongs to the set ${found.set}.`, {
        next: 'change it there, or leave its fields out here',
      });
    return isForeign;
  }

  /** What an entry names has to be there, or to be made. */
  function refuseUnknown(entry: Wanted): void {
    for (const need of kindOf[entry.kind].needs?.(entry) ?? [])
      if (organization.ids.find(need) === undefined && (wanted.get(need)?.absent ?? true))
        obstacles.push({
          reason: 'invalid',
          message: `${entry.at}: the ${entry.kind} ${entry.place} names the ${need}, which there is not.`,
        });
  }

  function creation(entry: Wanted): Step {
    const kind = kindOf[entry.kind];
    const missing = (kind.required ?? [])
      .map((fields) => [fields].flat())
      .filter((fields) => fields.every((field) => entry.fields[field] === undefined))
      .map((fields) => fields.join(' or '));
    if (missing.length > 0)
      obstacles.push({
        reason: 'invalid',
        message: `${entry.at}: the ${entry.kind} ${entry.place} is new and needs ${missing.join(', ')}.`,
      });
    return {
      ...stepOf(entry, 'create', kind.create.operation(entry), fieldsAsChanges(entry)),
      after: [...parentOf(entry), ...(kind.needs?.(entry) ?? [])],
      send: (run) => kind.create.send(entry, run),
    };
  }

  function changes(entry: Wanted, found: Existing): Step[] {
    if (found.status === 'deleting') {
      refuse(entry, 'it is being deleted.', { next: 'run it again when it is gone' });
      return [];
    }
    const kind = kindOf[entry.kind];
    const differing = Object.entries(entry.fields)
      .filter(([field, value]) => !(kind.same?.[field] ?? same)(value, found.fields[field], options))
      .map(([field, to]): FieldChange => ({ field, from: found.fields[field], to }));
    if (differing.length === 0) return [];
    if (refuseForeign(entry, found)) return [];
    const fixed = differing.filter(({ field }) => kind.fixed?.includes(field));
    const changed = new Set(differing.map(({ field }) => field));
    const updates = kind.updates(entry, found, changed);
    const blocked = updates.find((update) => update.blocked !== undefined);
    if (fixed.length === 0 && !blocked) return updates.map((update) => updating(entry, update, differing));
    const reason =
      blocked?.blocked ?? `${fixed.map(({ field }) => field).join(', ')} cannot be changed in place.`;
    if (!isNamed(entry, options.replace) || !kind.remove) {
      refuse(entry, reason, kind.remove ? { replaceable: entry.name } : {});
      return [];
    }
    replaced.add(keyOf(entry));
    return [replacement(entry, found, differing)];
  }

  function updating(entry: Wanted, update: Update, differing: readonly FieldChange[]): Step {
    const own = differing.filter(({ field }) => update.fields.includes(field));
    return {
      ...stepOf(entry, 'update', update.operation, own),
      interrupts: update.interrupts,
      after: kindOf[entry.kind].needs?.(entry) ?? [],
      send: (run) => update.send(run),
    };
  }

  function replacement(entry: Wanted, found: Existing, differing: FieldChange[]): Step {
    const kind = kindOf[entry.kind];
    const whole = { ...entry, fields: { ...withoutName(found), ...entry.fields } };
    return {
      ...stepOf(entry, 'replace', kind.create.operation(entry), differing),
      interrupts: kind.remove?.interrupts,
      after: kind.needs?.(entry) ?? [],
      async send(run: Run) {
        await kind.remove?.send(found, run);
        await kind.create.send(whole, { ...run, set: found.set });
      },
    };
  }
}

/** What is named with --replace: by its name or its place. */
export const isNamed = ({ name, place }: Pick<Wanted, 'name' | 'place'>, names: readonly string[]): boolean =>
  names.includes(name) || names.includes(place);

export function removal(found: Existing): Step {
  const { remove } = kindOf[found.kind];
  return {
    ...stepOf(found, 'delete', remove?.operation(found) ?? '', []),
    interrupts: remove?.interrupts,
    after: [],
    send: async (run) => remove?.send(found, run),
  };
}

type Base = Omit<Step, 'after' | 'send'>;

const stepOf = (
  entry: Pick<Wanted, 'kind' | 'place' | 'parent'>,
  action: Step['action'],
  operation: string,
  changes: FieldChange[],
): Base => ({
  ...{
    action,
    operation,
    changes,
    kind: entry.kind,
    place: entry.place,
    parent: entry.parent,
    key: keyOf(entry),
  },
  interrupts: undefined,
  ...(entry.parent?.startsWith('deployment ') &&
    action !== 'delete' && { wait: (run) => run.ready(entry.parent?.slice('deployment '.length) ?? '') }),
});

const fieldsAsChanges = ({ fields }: Wanted): FieldChange[] =>
  Object.entries(fields)
    .filter(([field]) => field !== 'name')
    .map(([field, to]) => ({ field, from: undefined, to }));

const parentOf = ({ parent }: Wanted): string[] => (parent === null ? [] : [parent]);

/** What a new one is made of: a secret that is not wanted is not known. */
const withoutName = ({ fields }: Existing) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

const isInAway = ({ kind, parent, place }: Wanted, { away }: Organization): boolean =>
  kind !== 'deployment' && (away.has(parent ?? '') || away.has(`deployment ${place}`));

import type { RulePermissions } from './schema.ts';

/** Forms in which a document and a server can be compared. */

interface Subscription {
  message_types: readonly string[];
  consumer_lag_threshold?: number | undefined;
  scopes?: readonly string[] | undefined;
}

export function canonicalSubscriptions(subscriptions: readonly Subscription[]): Subscription[] {
  return subscriptions
    .map(({ message_types, consumer_lag_threshold, scopes = [] }) => ({
      message_types: [...message_types].sort(),
      ...(consumer_lag_threshold !== undefined && { consumer_lag_threshold }),
      ...(scopes.length > 0 && { scopes: [...scopes].sort() }),
    }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

export interface CanonicalPermissions {
  tenant: string[];
  division: string[];
  environment: string[];
  divisions: Record<
    string,
    { permissions: string[]; environment: string[]; environments: Record<string, string[]> }
  >;
}

/** Written out as a server does it: to manage includes to read, and an override shows what it inherits. */
export function canonicalPermissions({
  tenant = [],
  division = [],
  environment = [],
  divisions = {},
}: RulePermissions): CanonicalPermissions {
  const overrides = Object.entries(divisions).map(
    ([name, own]) =>
      [
        name,
        {
          permissions: written(own.permissions ?? division),
          environment: written(own.environment ?? environment),
          environments: Object.fromEntries(
            Object.entries(own.environments ?? {})
              .map(([place, names]) => [place, written(names)] as const)
              .sort(byName),
          ),
        },
      ] as const,
  );
  return {
    tenant: written(tenant),
    division: written(division),
    environment: written(environment),
    divisions: Object.fromEntries(overrides.sort(byName)),
  };
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1);

const written = (names: readonly string[]): string[] =>
  [
    ...new Set(
      names.flatMap((name) =>
        name.endsWith(':manage') ? [name, name.replace(/:manage$/, ':read')] : [name],
      ),
    ),
  ].sort();

/** The end of the remarks of what a set has made, where there are no labels. */
const mark = (set: string): string => `[set ${set}]`;

export const marked = (remarks: string | null | undefined, set: string | undefined): string | null =>
  set === undefined ? (remarks ?? null) : [remarks, mark(set)].filter(Boolean).join(' ');

/** Remarks without the mark, and the set that it names. */
export function unmarked(remarks: string | null): { remarks: string | null; set: string | undefined } {
  const [, text = '', set] = /^(.*?) ?\[set ([A-Za-z0-9_.-]+)\]$/s.exec(remarks ?? '') ?? [];
  if (set === undefined) return { remarks, set: undefined };
  return { remarks: text === '' ? null : text, set };
}

/** The label that a set keeps on what it has made. */
export const setLabel = 'sluice/set';

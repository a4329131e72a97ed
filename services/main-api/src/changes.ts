import { isDeepStrictEqual } from 'node:util';
import type { Labels } from '@sluice/contracts';

/** Compares a locked row with the `If-Match` of the request. @throws Problem `changed_meanwhile` */
export type Check<Row> = (row: Row) => void;

/** The labels of something new, as its event has them. */
export const labelsOf = ({ labels }: { labels: Labels }) =>
  Object.keys(labels).length > 0 ? { labels } : {};

/** The data of an update's event: the changed fields with their new values, and with those that the row had. */
export function changeOf<Fields extends object>(row: Fields, changes: Partial<Fields>) {
  const names = Object.keys(changes) as (keyof Fields & string)[];
  return {
    changes: { ...changes } as Record<string, unknown>,
    former: Object.fromEntries(names.map((name): [string, unknown] => [name, row[name] ?? null])),
  };
}

/** A document as it is stored: what is null in it is left out. */
export const withoutNulls = <Value>(given: Value): Value =>
  JSON.parse(JSON.stringify(given, (_, value: unknown) => value ?? undefined)) as Value;

/**
 * The fields of `wanted` that differ from those of `row`.
 * @param clearable the fields that null clears; elsewhere it means absent
 */
export function changesTo<Fields extends object>(
  row: Fields,
  wanted: { [F in keyof Fields]?: Fields[F] | null },
  clearable: readonly (keyof Fields)[] = [],
): Partial<Fields> {
  const changes: Partial<Fields> = {};
  for (const field in wanted) {
    const value = wanted[field];
    if (value === undefined || isDeepStrictEqual(value, row[field])) continue;
    if (value === null && !clearable.includes(field)) continue;
    changes[field] = value as Fields[typeof field];
  }
  return changes;
}

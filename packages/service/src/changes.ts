import { isDeepStrictEqual } from 'node:util';

/** The data of an update's event: the changed fields with their new values, and with those that the row had. */
export function changeOf<Fields extends object>(row: Fields, changes: Partial<Fields>) {
  const names = Object.keys(changes) as (keyof Fields & string)[];
  return {
    changes: { ...changes } as Record<string, unknown>,
    former: Object.fromEntries(names.map((name): [string, unknown] => [name, row[name] ?? null])),
  };
}

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

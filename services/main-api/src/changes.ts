/** The fields of `wanted` that differ from those of `row`; null means absent. */
export function changesTo<Fields extends object>(
  row: Fields,
  wanted: { [F in keyof Fields]?: Fields[F] | null },
): Partial<Fields> {
  const changes: Partial<Fields> = {};
  for (const field in wanted) {
    const value = wanted[field];
    if (value !== undefined && value !== null && value !== row[field]) changes[field] = value;
  }
  return changes;
}

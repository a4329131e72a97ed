/**
 * Whether an object is as it was applied: all that `wanted` says stands in `live`, which may say more, such as defaults
 * and what others have added. Lists of named things (containers, ports, variables) are compared by their names, all others as a
 * whole.
 */
export function covers(live: unknown, wanted: unknown): boolean {
  if (wanted === undefined) return true;
  // the API server leaves out what is empty
  if (Array.isArray(wanted)) return coversList(live ?? [], wanted);
  if (!isObject(wanted)) return live === wanted;
  if (!isObject(live)) return Object.keys(wanted).length === 0 && live === undefined;
  return Object.entries(wanted).every(([name, value]) => covers(live[name], value));
}

function coversList(live: unknown, wanted: readonly unknown[]): boolean {
  if (!Array.isArray(live)) return false;
  const keys = wanted.map(keyOf);
  if (keys.length > 0 && keys.every((key) => key !== undefined)) {
    const byKey = new Map(live.map((item) => [keyOf(item), item]));
    return wanted.every((item) => covers(byKey.get(keyOf(item)), item));
  }
  return live.length === wanted.length && wanted.every((item, index) => covers(live[index], item));
}

/** What tells an entry of a list that is merged from the others. */
function keyOf(item: unknown): string | undefined {
  if (!isObject(item)) return undefined;
  const { name, mountPath } = item;
  const key = mountPath ?? name;
  return typeof key === 'string' ? key : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

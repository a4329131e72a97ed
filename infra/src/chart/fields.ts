/** Fields of objects whose types are not known here. What is changed in them is checked by the comparison with kustomize. */

type Key = string | number;
const isContainer = (value: unknown): value is Record<Key, unknown> =>
  typeof value === 'object' && value !== null;

/** The value at a path; undefined where there is none. */
export function at(value: unknown, ...path: readonly Key[]): unknown {
  let found = value;
  for (const key of path) found = isContainer(found) ? found[key] : undefined;
  return found;
}

/** @throws Error when there is no list */
export function listAt(value: unknown, ...path: readonly Key[]): unknown[] {
  const found = at(value, ...path);
  if (!Array.isArray(found)) throw new Error(`${path.join('.')} is no list`);
  return found;
}

/** @throws Error when there is no text */
export function textAt(value: unknown, ...path: readonly Key[]): string {
  const found = at(value, ...path);
  if (typeof found !== 'string') throw new Error(`${path.join('.')} is no text`);
  return found;
}

/** @throws Error when there is no map of texts */
export function textsAt(value: unknown, ...path: readonly Key[]): Record<string, string> {
  const found = at(value, ...path);
  if (!isContainer(found)) throw new Error(`${path.join('.')} is no map`);
  return Object.fromEntries(Object.keys(found).map((key) => [key, textAt(found, key)]));
}

/** Sets a field of what is there. @throws Error when it is not */
export function put(value: unknown, path: readonly Key[], field: unknown): void {
  const container = at(value, ...path.slice(0, -1));
  const key = path.at(-1);
  if (!isContainer(container) || key === undefined) throw new Error(`There is no ${path.join('.')}`);
  container[key] = field;
}

/** Readers of search parameters. An address that people have changed gives what is valid in it, never an error. */

type Search = Record<string, unknown>;

/** A text that is not empty. */
export function text(search: Search, name: string): string | undefined {
  const value = search[name];
  const read = typeof value === 'number' ? String(value) : value;
  return typeof read === 'string' && read !== '' ? read : undefined;
}

/** An id. */
export function id(search: Search, name: string): number | undefined {
  const value = Number(search[name]);
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** A time, as `2026-03-14T09:26:53.589Z`. */
export function time(search: Search, name: string): string | undefined {
  const read = text(search, name);
  const at = read === undefined ? Number.NaN : Date.parse(read);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** One of several words. */
export function oneOf<Word extends string>(
  search: Search,
  name: string,
  words: readonly Word[],
): Word | undefined {
  return words.find((word) => word === search[name]);
}

/** Leaves out what is undefined, so that it is not in the address. */
export function defined<Value extends object>(
  value: Value,
): { [Key in keyof Value]?: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as never;
}

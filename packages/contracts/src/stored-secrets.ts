import { isDeepStrictEqual } from 'node:util';
import type { ConfigEntry } from './config-schema.ts';
import { readConfigValue } from './config-values.ts';
import type { FieldIssue } from './problems.ts';

/**
 * Secrets that are stored, shown as `***`, and kept where `***` comes back. A secret is kept for the destination that it was stored for:
 * who may change a destination, and not read the secret, would else have it sent to a server of their own.
 */

export const secretMask = '***';

/** The names that lead to a value; `*` stands for each name of an object. */
type Path = readonly string[];

/** A field that decides where secrets are sent, or how they are protected on the way. */
export interface DestinationField {
  path: Path;
  /** The form in which two values are compared, without one `undefined`. Values are the same where their forms are deeply equal. */
  form?: (value: unknown) => unknown;
}

export interface SecretFields {
  secrets: readonly Path[];
  /** empty only where the secrets are never sent anywhere */
  destination: readonly DestinationField[];
}

/** Forms of destination fields, whose spelling may differ. */
export const destinationForms = {
  /** a fragment is never sent */
  url: (value: unknown) => {
    const url = typeof value === 'string' ? URL.parse(value) : null;
    if (url) url.hash = '';
    return url?.href ?? value;
  },
  host: (value: unknown) => {
    const lower = (host: unknown) => (typeof host === 'string' ? host.toLowerCase() : host);
    return Array.isArray(value) ? value.map(lower) : lower(value);
  },
  value: (value: unknown) => value,
};

/** The secrets and destinations that a schema declares. @param block the field that holds the values; null: they are not nested */
export function secretFieldsOf(entries: readonly ConfigEntry[], block: string | null): SecretFields {
  const pathOf = ({ key }: ConfigEntry) => (block === null ? [key] : [block, key]);
  return {
    secrets: entries.filter(({ secret }) => secret).map(pathOf),
    destination: entries.flatMap((entry) => {
      const { destination, default_value } = entry;
      if (!destination) return [];
      const form = (value: unknown) => {
        const read = readConfigValue(entry, value ?? default_value);
        return destinationForms[destination]('value' in read ? read.value : value);
      };
      return [{ path: pathOf(entry), form }];
    }),
  };
}

/** The values with `***` in the place of secrets. */
export function maskSecrets<Values>(values: Values, { secrets }: SecretFields): Values {
  const paths = secrets.flatMap((path) => concrete(values, path));
  return paths.reduce((masked, path) => replaced(masked, path, secretMask) as Values, values);
}

/** The values with stored secrets in the place of `***`, and an issue for each `***` that no stored secret is kept for. */
export function keepSecrets<Values>(
  values: Values,
  stored: unknown,
  { secrets, destination }: SecretFields,
): { values: Values; issues: FieldIssue[] } {
  const moved = destination.find(({ path, form = destinationForms.value }) => {
    const formOf = (from: unknown) => form(givenOf(valueAt(from, path)));
    return !isDeepStrictEqual(formOf(values), formOf(stored));
  });
  const issues: FieldIssue[] = [];
  let kept: unknown = values;
  for (const path of secrets.flatMap((one) => concrete(values, one))) {
    if (valueAt(values, path) !== secretMask) continue;
    const former = valueAt(stored, path) ?? undefined;
    if (former !== undefined && !moved) kept = replaced(kept, path, former);
    else issues.push(nothingStored(path, former === undefined ? undefined : moved));
  }
  return { values: kept as Values, issues };
}

/** Null and an empty text mean that nothing is given. */
const givenOf = (value: unknown) => (value === null || value === '' ? undefined : value);

function nothingStored(path: Path, moved: DestinationField | undefined): FieldIssue {
  const message = moved
    ? `has to be given anew: what is stored is for another ${moved.path.join('.')}`
    : 'has nothing stored that *** could keep';
  return { path: pointer(...path), code: 'nothing_stored', message };
}

/** A field by the names that lead to it, as JSON pointers have it. */
export const pointer = (...names: string[]) =>
  names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function valueAt(values: unknown, path: Path): unknown {
  return path.reduce(
    (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    values,
  );
}

/** The paths that a path with `*` stands for, of values that are there. */
function concrete(values: unknown, [name, ...rest]: Path): string[][] {
  if (name === undefined) return values === undefined || values === null ? [] : [[]];
  if (!isObject(values)) return [];
  const names = name === '*' ? Object.keys(values) : Object.hasOwn(values, name) ? [name] : [];
  return names.flatMap((one) => concrete(values[one], rest).map((behind) => [one, ...behind]));
}

function replaced(values: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  const within = values as Record<string, unknown>;
  return { ...within, [name]: replaced(within[name], rest, value) };
}

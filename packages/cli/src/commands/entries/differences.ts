import { isDeepStrictEqual } from 'node:util';
import type { View } from '@sluice/terminal/output';

/** A value that is not the same; what is not there is undefined. */
export interface Difference {
  /** with dots: `plugin_config.host` */
  key: string;
  from?: unknown;
  to?: unknown;
}

/** What differs between two documents, by the paths of fields. A list is one value. */
export function differences(from: unknown, to: unknown): Difference[] {
  const [before, after] = [leavesOf(from), leavesOf(to)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => !isDeepStrictEqual(before.get(key), after.get(key)))
    .sort()
    .map((key) => ({
      key,
      ...(before.has(key) && { from: before.get(key) }),
      ...(after.has(key) && { to: after.get(key) }),
    }));
}

function leavesOf(value: unknown, path = ''): Map<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map([[path, value]]);
  return new Map(
    Object.entries(value).flatMap(([name, field]) => [
      ...leavesOf(field, path === '' ? name : `${path}.${name}`),
    ]),
  );
}

export const differenceView: View<Difference> = {
  name: ({ key }) => key,
  empty: 'There is no difference.',
  columns: [
    { header: 'WHAT', value: ({ key }) => key },
    { header: 'FROM', value: ({ from }) => textOf(from) },
    { header: 'TO', value: ({ to }) => textOf(to) },
  ],
};

/** A value for people. */
export const textOf = (value: unknown): string | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);

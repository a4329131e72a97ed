/** Where a deployment is, by name. */
export interface NamedPlace {
  division: string;
  environment: string;
  name: string;
}

/** A value on one line: what is JSON is YAML. Words that YAML reads as such stay without quotes. */
const scalar = (value: unknown): string =>
  typeof value === 'string' &&
  /^[a-z][\w.-]*$/i.test(value) &&
  !/^(true|false|null|yes|no|on|off|y|n)$/i.test(value)
    ? value
    : JSON.stringify(value);

/**
 * Lines for `sluice apply` that give a deployment these fields. Fields without a value are left out.
 * @returns undefined until the names of its places are known
 */
export function applyLines(
  { division, environment, name }: NamedPlace,
  fields: Record<string, unknown>,
): string | undefined {
  if (division === '' || environment === '' || name === '') return undefined;
  const lines = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `            ${key}: ${scalar(value)}\n`);
  return [
    'divisions:\n',
    `  - name: ${scalar(division)}\n`,
    '    environments:\n',
    `      - name: ${scalar(environment)}\n`,
    '        deployments:\n',
    `          - name: ${scalar(name)}\n`,
    ...lines,
  ].join('');
}

/** Lines for `sluice apply` of one list of the document, such as members. Values are JSON, which is YAML. */
export const documentLines = (list: string, entries: readonly Record<string, unknown>[]): string =>
  [
    `${list}:\n`,
    ...entries.flatMap((entry) =>
      Object.entries(entry)
        .filter(([, value]) => value !== undefined)
        .map(([key, value], index) => `${index === 0 ? '  - ' : '    '}${key}: ${scalar(value)}\n`),
    ),
  ].join('');

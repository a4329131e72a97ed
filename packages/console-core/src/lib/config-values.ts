import type { Config, ConfigEntry, ConfigRule } from '@sluice/client';

/** Values of a configuration, as the API takes them. */
export type ConfigValues = Record<string, unknown>;
/** Where a value is: names of fields and places in lists. */
export type ValuePath = readonly (string | number)[];

/** The value at a place; undefined where there is none. */
export function valueAt(values: unknown, path: ValuePath): unknown {
  return path.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? (value as never)[name] : undefined),
    values,
  );
}

/** The values with another one at a place. Undefined takes it away, and objects that are empty then. */
export function withValue(values: ConfigValues, [name, ...rest]: ValuePath, value: unknown): ConfigValues {
  const key = String(name);
  const next = rest.length === 0 ? value : within(values[key], rest, value);
  if (next !== undefined) return { ...values, [key]: next };
  return Object.fromEntries(Object.entries(values).filter(([one]) => one !== key));
}

function within(before: unknown, path: ValuePath, value: unknown): unknown {
  if (Array.isArray(before)) {
    const [index, ...rest] = path;
    return before.map((one: ConfigValues, at) =>
      at === index ? (rest.length === 0 ? value : withValue(one, rest, value)) : one,
    );
  }
  const next = withValue((before ?? {}) as ConfigValues, path, value);
  return Object.keys(next).length === 0 ? undefined : next;
}

/** A value as it stands in a field. */
export const fieldText = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.join('\n');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** What a field's text is for the API: undefined where it is empty. What is wrong stays as it is, and the API says so. */
export function fieldValue({ kind }: Pick<ConfigEntry, 'kind'>, text: string): unknown {
  if (kind === 'list') {
    const entries = text.split('\n').map((line) => line.trim());
    const given = entries.filter((line) => line !== '');
    return given.length === 0 ? undefined : given;
  }
  if (text.trim() === '') return undefined;
  if ((kind === 'int' || kind === 'size') && /^-?\d{1,15}$/.test(text.trim())) return Number(text);
  return kind === 'string' || kind === 'secret' ? text : text.trim();
}

/** Values as text to edit, and back. @throws SyntaxError where it is no JSON, or no object */
export const valuesText = (values: ConfigValues): string => `${JSON.stringify(values, null, 2)}\n`;
export function valuesOf(text: string): ConfigValues {
  const values = JSON.parse(text) as unknown;
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new SyntaxError('It has to be an object.');
  return values as ConfigValues;
}

/** What a value has to satisfy, in words; undefined where nothing. */
export function ruleText(rules: readonly ConfigRule[], kind: ConfigEntry['kind']): string | undefined {
  const of = (rule: ConfigRule['rule']) => rules.find((one) => one.rule === rule)?.value;
  const [min, max] = [of('min'), of('max')];
  const isHuge = typeof max === 'number' && max >= 2_147_483_647;
  const unit =
    { size: ' bytes', duration: ' ms', list: ' entries', string: ' characters' }[kind as string] ?? '';
  const range =
    max === undefined || isHuge
      ? min === undefined
        ? undefined
        : `At least ${min}${unit}`
      : `${min === undefined ? 'At most' : `From ${min} to`} ${max}${unit}`;
  const other = rules.find((one) => one.rule === 'at_most')?.key;
  return [range, other && `at most ${other}`].filter(Boolean).join(', ') || undefined;
}

/** The version that was active before the present one and was not rejected by nodes: what a rollback activates. */
export function activeBefore(configs: readonly Config[]): Config | undefined {
  const active = configs.find(({ primary }) => primary);
  const when = ({ activated_at: at }: Config) => Date.parse(at ?? '');
  return configs
    .filter(({ id, activated_at: at, rejection }) => id !== active?.id && at !== null && rejection === null)
    .reduce<Config | undefined>((last, one) => (last && when(last) >= when(one) ? last : one), undefined);
}

/** Versions that were read by several ways, each once. */
export const eachOnce = (configs: readonly Config[]): Config[] => [
  ...new Map(configs.map((one) => [one.id, one])).values(),
];

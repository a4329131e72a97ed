import type { ConfigEntry, ConfigRule, ConfigValue } from './config-schema.ts';

/**
 * Reads values of configurations by their schema (interface, 2.12). It loads nothing, so that the programs on a node, which start
 * fast, read by the same rules as the API that takes values in.
 */

/** What is wrong with one value. */
export interface ConfigIssue {
  key: string;
  /** as those of field issues */
  code: string;
  message: string;
}

export type ReadValue = { value: ConfigValue } | { issue: Omit<ConfigIssue, 'key'> };
/** Null where nothing holds without a value. */
export type ReadValues = Record<string, ConfigValue | null>;

/** A text or a list whose schema sets no limit has this one. */
const longestText = 4_096;
const longestList = 100;

const sizeUnits = new Map([
  ['', 1],
  ['KiB', 2 ** 10],
  ['MiB', 2 ** 20],
  ['GiB', 2 ** 30],
  ['TiB', 2 ** 40],
]);
const durationUnits = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/**
 * Reads one value as JSON has it: a size becomes bytes, a duration milliseconds. What other keys have to do with it is not looked at:
 * `readConfigValues` does that.
 */
export function readConfigValue(entry: ConfigEntry, value: unknown): ReadValue {
  const read = byKind(entry, value);
  if ('issue' in read) return read;
  const amount = amountOf(read.value);
  for (const rule of boundsOf(entry)) {
    const issue = broken(rule, read.value, amount, entry);
    if (issue) return { issue };
  }
  return read;
}

/**
 * Reads all values by their entries, with the defaults of those that are not given, and says all that is wrong at once. Null means not
 * given.
 */
export function readConfigValues(
  entries: readonly ConfigEntry[],
  given: Readonly<Record<string, unknown>>,
): { values: ReadValues; issues: ConfigIssue[] } {
  const issues: ConfigIssue[] = [];
  const values: ReadValues = {};
  for (const entry of entries) {
    const { key } = entry;
    const read = readGiven(entry, given[key] ?? null);
    if ('issue' in read) issues.push({ key, ...read.issue });
    else values[key] = read.value;
  }
  const known = new Map(entries.map((entry) => [entry.key, entry]));
  for (const key of Object.keys(given)) {
    if (!known.has(key)) issues.push({ key, code: 'unknown_key', message: 'is not a key of the schema' });
  }
  for (const { key, rules } of entries)
    for (const rule of rules) {
      const above = rule.rule === 'at_most' && isAbove(values[key], values[rule.key]);
      if (above) issues.push({ key, code: 'too_large', message: `has to be at most what ${rule.key} is` });
    }
  return { values, issues };
}

/** How a value that has been read travels to a node, where `configValueOf` makes JSON of it again. */
export function configText({ kind }: ConfigEntry, value: ConfigValue): string {
  if (kind === 'duration')
    return Number(value) % 1_000 === 0 ? `${Number(value) / 1_000}s` : `${String(value)}ms`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The value in a text, as JSON has it. What is no such value stays a text, and is refused when it is read. */
export function configValueOf({ kind }: ConfigEntry, text: string): unknown {
  if (kind === 'bool') return text === 'true' ? true : text === 'false' ? false : text;
  if (kind === 'int') return /^\d{1,15}$/.test(text) ? Number(text) : text;
  if (kind !== 'list') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readGiven(
  entry: ConfigEntry,
  given: unknown,
): { value: ConfigValue | null } | Extract<ReadValue, { issue: unknown }> {
  if (given === null) {
    if (entry.rules.some(({ rule }) => rule === 'required'))
      return { issue: { code: 'required', message: 'is required' } };
    return entry.default_value === null ? { value: null } : readConfigValue(entry, entry.default_value);
  }
  if (!entry.editable) {
    const needed = entry.requirements.length > 0 ? `: it takes ${entry.requirements.join(', ')}` : '';
    return { issue: { code: 'not_editable', message: `cannot be set${needed}` } };
  }
  return readConfigValue(entry, given);
}

function byKind({ kind }: ConfigEntry, value: unknown): ReadValue {
  const wrongType = (expected: string): ReadValue => ({
    issue: { code: 'wrong_type', message: `has to be ${expected}` },
  });
  switch (kind) {
    case 'bool':
      return typeof value === 'boolean' ? { value } : wrongType('true or false');
    case 'int':
      return Number.isSafeInteger(value) ? { value: value as number } : wrongType('a whole number');
    case 'size': {
      if (typeof value !== 'string' && typeof value !== 'number') return wrongType('a number of bytes');
      const bytes = inUnits(String(value), sizeUnits);
      return bytes ?? wrongFormat('a number of bytes, or one with KiB, MiB, GiB or TiB');
    }
    case 'duration': {
      if (typeof value !== 'string') return wrongType('a text such as 10s');
      return inUnits(value, durationUnits) ?? wrongFormat('a number with ms, s, m, h or d');
    }
    case 'list': {
      const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
      return isList ? { value } : wrongType('a list of texts');
    }
    case 'string':
    case 'enum':
    case 'secret':
      return typeof value === 'string' ? { value } : wrongType('a text');
  }
}

const wrongFormat = (expected: string): ReadValue => ({
  issue: { code: 'wrong_format', message: `has to be ${expected}` },
});

function inUnits(text: string, units: ReadonlyMap<string, number>): { value: number } | null {
  const [, digits, unit] = /^(\d{1,15}) ?([A-Za-z]*)$/.exec(text.trim()) ?? [];
  const value = Number(digits) * (units.get(unit ?? '') ?? NaN);
  return Number.isSafeInteger(value) ? { value } : null;
}

/** What `min` and `max` are of. */
function amountOf(value: ConfigValue): number {
  if (typeof value === 'number') return value;
  return typeof value === 'boolean' ? 0 : value.length;
}

function boundsOf({ kind, rules }: ConfigEntry): readonly ConfigRule[] {
  if (kind === 'bool' || kind === 'int' || kind === 'size' || kind === 'duration') return rules;
  if (rules.some(({ rule }) => rule === 'max')) return rules;
  return [...rules, { rule: 'max', value: kind === 'list' ? longestList : longestText }];
}

function broken(rule: ConfigRule, value: ConfigValue, amount: number, { kind }: ConfigEntry) {
  switch (rule.rule) {
    case 'min':
      return amount < rule.value ? outOfRange('min', rule.value, kind) : null;
    case 'max':
      return amount > rule.value ? outOfRange('max', rule.value, kind) : null;
    case 'one_of': {
      const all = typeof value === 'object' ? value : [String(value)];
      const message = `has to be ${kind === 'list' ? 'of' : 'one of'} ${rule.values.join(', ')}`;
      return all.every((one) => rule.values.includes(one)) ? null : { code: 'not_allowed', message };
    }
    case 'pattern': {
      const all = typeof value === 'object' ? value : [String(value)];
      const message = `has to match ${rule.value}`;
      const whole = new RegExp(`^(?:${rule.value})$`, 'u');
      return all.every((one) => whole.test(one)) ? null : { code: 'wrong_format', message };
    }
    case 'required':
    case 'at_most':
      return null;
  }
}

const amounts: Partial<Record<ConfigEntry['kind'], string>> = {
  size: ' bytes',
  duration: ' ms',
};

function outOfRange(bound: 'min' | 'max', value: number, kind: ConfigEntry['kind']) {
  const than = bound === 'min' ? 'at least' : 'at most';
  if (kind === 'list')
    return {
      code: bound === 'min' ? 'too_few' : 'too_many',
      message: `has to have ${than} ${value} entries`,
    };
  if (kind === 'string' || kind === 'enum' || kind === 'secret')
    return {
      code: bound === 'min' ? 'too_short' : 'too_long',
      message: `has to have ${than} ${value} characters`,
    };
  return {
    code: bound === 'min' ? 'too_small' : 'too_large',
    message: `has to be ${than} ${value}${amounts[kind] ?? ''}`,
  };
}

function isAbove(value: ConfigValue | null | undefined, limit: ConfigValue | null | undefined): boolean {
  return typeof value === 'number' && typeof limit === 'number' && value > limit;
}

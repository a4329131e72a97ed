import type { ConfigEntry, ConfigKind, ConfigRule } from './config-schema.ts';
import { configText, configValueOf, readConfigValue, readConfigValues } from './config-values.ts';

const entry = (kind: ConfigKind, ...rules: ConfigRule[]): ConfigEntry => ({
  ...{ key: 'k', name: 'K', description: '', default_value: null, kind, rules },
  ...{ editable: true, secret: kind === 'secret', requirements: [] },
});
const least = (value: number): ConfigRule => ({ rule: 'min', value });
const most = (value: number): ConfigRule => ({ rule: 'max', value });

test.each<[ConfigKind, unknown, unknown]>([
  ['bool', false, false],
  ['int', 12, 12],
  ['int', -3, -3],
  ['size', 1_000, 1_000],
  ['size', '1000', 1_000],
  ['size', '64 KiB', 65_536],
  ['size', '2GiB', 2 * 2 ** 30],
  ['duration', '10s', 10_000],
  ['duration', '250 ms', 250],
  ['duration', '1d', 86_400_000],
  ['string', '', ''],
  ['secret', 's', 's'],
  ['list', ['a', 'b'], ['a', 'b']],
])('%s %j is read as %j', (kind, value, read) => {
  expect(readConfigValue(entry(kind), value)).toEqual({ value: read });
});

test.each<[ConfigKind, unknown, string]>([
  ['bool', 'true', 'wrong_type'],
  ['bool', 1, 'wrong_type'],
  ['int', '12', 'wrong_type'],
  ['int', 1.5, 'wrong_type'],
  ['int', 2 ** 53, 'wrong_type'],
  ['size', true, 'wrong_type'],
  ['size', -1, 'wrong_format'],
  ['size', 1.5, 'wrong_format'],
  ['size', '10 MB', 'wrong_format'],
  ['size', '1 toString', 'wrong_format'],
  ['size', '9000 TiB', 'wrong_format'],
  ['size', '1KiB }', 'wrong_format'],
  ['duration', 10, 'wrong_type'],
  ['duration', '10', 'wrong_format'],
  ['duration', '1w', 'wrong_format'],
  ['duration', '1s }', 'wrong_format'],
  ['string', 1, 'wrong_type'],
  ['string', 'x'.repeat(4_097), 'too_long'],
  ['list', 'a', 'wrong_type'],
  ['list', ['a', 1], 'wrong_type'],
  ['list', Array(101).fill('a'), 'too_many'],
])('%s %j is refused: %s', (kind, value, code) => {
  expect(readConfigValue(entry(kind), value)).toEqual({
    issue: { code, message: expect.any(String) as string },
  });
});

test.each<[ConfigEntry, unknown, string, string]>([
  [entry('int', least(2)), 1, 'too_small', 'has to be at least 2'],
  [entry('size', most(1_024)), '2KiB', 'too_large', 'has to be at most 1024 bytes'],
  [entry('duration', least(1_000)), '999ms', 'too_small', 'has to be at least 1000 ms'],
  [entry('string', least(1)), '', 'too_short', 'has to have at least 1 characters'],
  [entry('secret', most(2)), 'abc', 'too_long', 'has to have at most 2 characters'],
  [entry('list', least(1)), [], 'too_few', 'has to have at least 1 entries'],
  [entry('enum', { rule: 'one_of', values: ['a', 'b'] }), 'c', 'not_allowed', 'has to be one of a, b'],
  [entry('string', { rule: 'pattern', value: 'a|b' }), 'ab', 'wrong_format', 'has to match a|b'],
  [entry('list', { rule: 'pattern', value: 'a+' }), ['aa', 'ab'], 'wrong_format', 'has to match a+'],
])('a rule that is broken is told (%#)', (of, value, code, message) => {
  expect(readConfigValue(of, value)).toEqual({ issue: { code, message } });
});

const entries: ConfigEntry[] = [
  { ...entry('size'), key: 'limit', default_value: '1KiB' },
  { ...entry('size', { rule: 'at_most', key: 'limit' }), key: 'part' },
  { ...entry('string', { rule: 'required' }), key: 'host' },
  { ...entry('int'), key: 'fixed', editable: false, requirements: ['another product'] },
];

test('what is not given has its default, and null is not given', () => {
  expect(readConfigValues(entries, { host: 'a', part: null })).toEqual({
    values: { limit: 1_024, part: null, host: 'a', fixed: null },
    issues: [],
  });
});

test('all that is wrong is told at once, by key', () => {
  const { issues } = readConfigValues(entries, { part: '2KiB', fixed: 1, toString: 'x', ['__proto__x']: 1 });
  expect(issues.map(({ key, code }) => [key, code])).toEqual([
    ['host', 'required'],
    ['fixed', 'not_editable'],
    ['toString', 'unknown_key'],
    ['__proto__x', 'unknown_key'],
    ['part', 'too_large'],
  ]);
  expect(issues[1]?.message).toBe('cannot be set: it takes another product');
});

test.each<[ConfigKind, unknown]>([
  ['bool', true],
  ['bool', false],
  ['int', 7],
  ['size', '3MiB'],
  ['duration', '1500ms'],
  ['duration', '2h'],
  ['string', 'true'],
  ['list', ['a,b', '"']],
])('%s %j comes to a node as it is', (kind, given) => {
  const of = entry(kind);
  const read = readConfigValue(of, given);
  if ('issue' in read) throw new Error(read.issue.message);
  expect(readConfigValue(of, configValueOf(of, configText(of, read.value)))).toEqual(read);
});

test.each<[ConfigKind, string]>([
  ['bool', 'yes'],
  ['int', '1k'],
  ['int', ''],
  ['int', '-1'],
  ['int', '99999999999999999'],
  ['list', '[1'],
  ['list', '{}'],
  ['list', 'null'],
])('%s %j on a node is refused', (kind, text) => {
  expect(readConfigValue(entry(kind), configValueOf(entry(kind), text))).toHaveProperty('issue');
});

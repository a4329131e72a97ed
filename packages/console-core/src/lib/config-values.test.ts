import type { Config } from '@sluice/client';
import {
  activeBefore,
  fieldText,
  fieldValue,
  ruleText,
  valueAt,
  valuesOf,
  withValue,
} from './config-values.ts';

test('a value is set where it is, and taken away with the object that is empty then', () => {
  const values = { enabled: true, plugin_config: { host: 'a' } };
  expect(withValue(values, ['plugin_config', 'port'], 5432)).toEqual({
    enabled: true,
    plugin_config: { host: 'a', port: 5432 },
  });
  expect(withValue(values, ['plugin_config', 'host'], undefined)).toEqual({ enabled: true });
  const listed = { streams: [{ stream: 'ORDERS' }, { stream: 'RETURNS' }] };
  expect(withValue(listed, ['streams', 1, 'batch_length'], 10)).toEqual({
    streams: [{ stream: 'ORDERS' }, { stream: 'RETURNS', batch_length: 10 }],
  });
  expect(valueAt(listed, ['streams', 1, 'stream'])).toBe('RETURNS');
  expect(valueAt(listed, ['streams', 5, 'stream'])).toBeUndefined();
});

test('a field is what its kind says, and what is wrong stays for the API to refuse', () => {
  expect(fieldValue({ kind: 'int' }, '12')).toBe(12);
  expect(fieldValue({ kind: 'int' }, 'many')).toBe('many');
  expect(fieldValue({ kind: 'size' }, ' 2MiB ')).toBe('2MiB');
  expect(fieldValue({ kind: 'list' }, 'a\n\n b ')).toEqual(['a', 'b']);
  expect(fieldValue({ kind: 'string' }, '')).toBeUndefined();
  expect(fieldText(['a', 'b'])).toBe('a\nb');
  expect(fieldText(undefined)).toBe('');
});

test('what is no object is refused as a text of values', () => {
  expect(() => valuesOf('[1]')).toThrow('It has to be an object.');
  expect(valuesOf('{"a": 1}')).toEqual({ a: 1 });
});

test('rules are said in words, and limits that are none are left out', () => {
  expect(
    ruleText(
      [
        { rule: 'min', value: 1 },
        { rule: 'max', value: 1000 },
      ],
      'int',
    ),
  ).toBe('From 1 to 1000');
  expect(
    ruleText(
      [
        { rule: 'min', value: 1 },
        { rule: 'max', value: 9_007_199_254_740_991 },
      ],
      'size',
    ),
  ).toBe('At least 1 bytes');
  expect(ruleText([{ rule: 'required' }], 'string')).toBeUndefined();
});

test('a rollback leads to what was active last, without what nodes have rejected', () => {
  const config = (id: number, activated_at: string | null, more: Partial<Config> = {}): Config => ({
    ...{ id, kind: 'broker', name: 'broker', version: id, values: {}, primary: false, in_force: false },
    ...{ runtime_version: null, needs_revalidation: false, author_id: null, rejection: null },
    ...{ created_at: '2026-03-14T09:00:00.000Z', activated_at },
    ...more,
  });
  const rejection = { reason: 'no', rejected_at: '2026-03-14T09:00:00.000Z' };
  const versions = [
    config(1, '2026-03-14T09:01:00.000Z'),
    config(2, '2026-03-14T09:02:00.000Z'),
    config(3, '2026-03-14T09:03:00.000Z', { rejection }),
    config(4, null),
    config(5, '2026-03-14T09:04:00.000Z', { primary: true }),
  ];
  expect(activeBefore(versions)?.id).toBe(2);
  expect(activeBefore(versions.slice(3))).toBeUndefined();
});

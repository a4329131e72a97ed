import { formatBytes, formatCount, plural } from './quantity.ts';

test('counts have a comma after each three digits of their whole part', () => {
  const counts = [0, 7, 999, 1_000, 12_345, 1_234_567, -1_000, -999, 1234.5678, 0.001234, 999_999.5];
  expect(counts.map(formatCount)).toEqual([
    ...['0', '7', '999', '1,000', '12,345', '1,234,567', '-1,000', '-999'],
    ...['1,234.5678', '0.001234', '999,999.5'],
  ]);
});

test('one is singular, and nothing else', () => {
  expect([0, 1, 2, 1_000].map((count) => plural(count, 'node'))).toEqual([
    ...['0 nodes', '1 node', '2 nodes', '1,000 nodes'],
  ]);
  expect(plural(2, 'entry', 'entries')).toBe('2 entries');
});

test('bytes are shown in the largest unit that fits, by three digits', () => {
  expect([0, 512, 1_024, 1_572_864, 3 * 2 ** 40].map(formatBytes)).toEqual([
    ...['0 B', '512 B', '1.00 KiB', '1.50 MiB', '3.00 TiB'],
  ]);
});

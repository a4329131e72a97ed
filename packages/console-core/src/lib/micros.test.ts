import { dollarsOf, microsOf, percentOf } from './micros.ts';

test('sums are exact', () => {
  const parts = ['0.100000', '0.2', '12.345678'];
  expect(parts.map(microsOf).reduce((sum, part) => sum + part)).toBe(12_645_678n);
  expect(dollarsOf(12_645_678n)).toBe('12.65');
  expect(dollarsOf(microsOf('-3.005'))).toBe('-3.01');
  expect(dollarsOf(-4n)).toBe('0.00');
  expect(dollarsOf(microsOf('123456789012345.67'))).toBe('123456789012345.67');
  expect(() => microsOf('1e3')).toThrow(RangeError);
});

test('percent stay between nothing and all', () => {
  expect(percentOf(1n, 3n)).toBe(33.3);
  expect(percentOf(7n, 3n)).toBe(100);
  expect(percentOf(1n, 0n)).toBe(0);
});

import { formatMoney, isAmount } from './money.ts';

test.each([
  ['0', '$0.00'],
  ['1234.5', '$1,234.50'],
  ['-12345678901234567890.10', '-$12,345,678,901,234,567,890.10'],
  ['0.000125', '$0.000125'],
])('%s', (amount, text) => expect(formatMoney(amount)).toBe(text));

test('what is no decimal is refused', () => {
  expect(() => formatMoney('1e3')).toThrow(RangeError);
});

test('amounts have two digits of cents at most', () => {
  expect(['250', '0', '99.9', '99.90'].every(isAmount)).toBe(true);
  expect(['', '-1', '1.234', '1,5', '1e3', '.5'].some(isAmount)).toBe(false);
});

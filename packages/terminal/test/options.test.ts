import { duration, moment } from '../src/options.ts';

test('a duration is a number with its unit, and no longer than dates go', () => {
  expect(['500ms', '90s', '15m', '2h', '7d'].map(duration)).toEqual([
    500, 90_000, 900_000, 7_200_000, 604_800_000,
  ]);
  for (const text of ['', '5', '1.5h', '-1d', '2w', '36501d', '999999999d'])
    expect(() => duration(text)).toThrow('It has to be');
  expect(() => moment('999999999d')).toThrow('It has to be');
});

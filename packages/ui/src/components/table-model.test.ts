import { nextRow } from './table-model.ts';

test.each([
  ['j', 0, 1],
  ['ArrowDown', 4, 4],
  ['k', 0, 0],
  ['End', 0, 4],
  ['Home', 3, 0],
  ['PageDown', 1, 4],
  ['x', 1, undefined],
])('%s in row %i of five leads to %s', (key, from, to) => expect(nextRow(key, from, 5)).toBe(to));

test('an empty list has no next row', () => expect(nextRow('j', 0, 0)).toBeUndefined());

import { Lanes, type Candidate } from './lanes.ts';

const lanes = (size: number) => new Lanes<Candidate & { key: number }>({ size, slow: Math.floor(size / 2) });
const due = (group: number, key: number, slow = false) => ({ key, group, slow });

function take(slots: ReturnType<typeof lanes>): number[] {
  const next = slots.next();
  return next ? [next.key, ...take(slots)] : [];
}

test('the tenant with the fewest at work is next', () => {
  const slots = lanes(3);
  slots.wait([due(1, 11), due(1, 12), due(1, 13), due(2, 21), due(3, 31)]);
  expect(take(slots)).toEqual([11, 21, 31]);
  slots.end(21);
  expect(take(slots)).toEqual([12]);
});

test('slow deployments take half of the slots', () => {
  const slots = lanes(4);
  slots.wait([due(1, 1, true), due(2, 2, true), due(3, 3, true), due(4, 4)]);
  expect(take(slots)).toEqual([1, 2, 4]);
  slots.end(1);
  expect(take(slots)).toEqual([3]);
});

test('what turns out to be slow has a place among the slow ones while there is one', () => {
  const slots = lanes(4);
  slots.wait([1, 2, 3, 4].map((id) => due(id, id)));
  expect(take(slots)).toEqual([1, 2, 3, 4]);
  const slowDown = (id: number) => slots.slowDown(id);
  expect([1, 2, 3, 4].map(slowDown)).toEqual([true, true, false, false]);
  slots.wait([due(5, 5, true), due(6, 6)]);
  slots.end(3);
  expect(take(slots)).toEqual([6]);
});

test('a deployment that is at work is not taken once more', () => {
  const slots = lanes(4);
  slots.wait([due(1, 1)]);
  expect(take(slots)).toEqual([1]);
  slots.wait([due(1, 1)]);
  expect(take(slots)).toEqual([]);
});

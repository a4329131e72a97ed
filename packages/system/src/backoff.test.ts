import { createBackoff, pauseAfter } from './backoff.ts';

test('pauses double with each failure, up to the longest', () => {
  const pauses = [0, 1, 2, 3, 4, 1_000].map((failures) => pauseAfter(failures, { first: 100, cap: 1_000 }));
  expect(pauses).toEqual([100, 200, 400, 800, 1_000, 1_000]);
});

test('with jitter a pause is between half and all of that, and begins anew after a success', () => {
  for (let round = 0; round < 100; round++) {
    const backoff = createBackoff({ first: 100, cap: 300 });
    for (const full of [100, 200, 300, 300]) {
      const pause = backoff.next();
      expect(pause).toBeGreaterThanOrEqual(full / 2);
      expect(pause).toBeLessThanOrEqual(full);
    }
    backoff.reset();
    expect(backoff.next()).toBeLessThanOrEqual(100);
  }
});

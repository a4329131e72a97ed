import { retry, waitUntil } from './retry.ts';

const pause = { first: 1, cap: 2 };

test('an attempt is repeated until it succeeds', async () => {
  const seen: unknown[] = [];
  let attempts = 0;
  const attempt = async () => {
    if (++attempts < 3) throw new Error(`attempt ${attempts}`);
    return attempts;
  };
  expect(await retry(attempt, { pause, failed: (error) => void seen.push((error as Error).message) })).toBe(
    3,
  );
  expect(seen).toEqual(['attempt 1', 'attempt 2']);
});

test('it ends with what failed throws, with the reason of the signal, and no sooner than failed says', async () => {
  const fails = () => Promise.reject(new Error('no'));
  const giveUp = () => {
    throw new Error('given up');
  };
  await expect(retry(fails, { pause, failed: giveUp })).rejects.toThrow('given up');
  const signal = AbortSignal.timeout(20);
  await expect(retry(fails, { pause, signal, failed: () => 60_000 })).rejects.toThrow(/abort|timeout/i);
});

test('what tells no listener is looked at until it is there', async () => {
  let looks = 0;
  expect(await waitUntil(() => ++looks === 3 && looks, { everyMs: 1 })).toBe(3);
  const signal = AbortSignal.timeout(10);
  await expect(waitUntil(() => null, { everyMs: 1, signal })).rejects.toThrow();
});

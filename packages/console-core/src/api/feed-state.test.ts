import { feedName, isLive, pollInterval, setLive, subscribeToFeeds } from './feed-state.ts';

const key = ['main', 3, 'deployment'];

test('queries poll, more seldom after failures, and not while the feed is there', () => {
  expect([0, 1, 9].map((failures) => pollInterval(key, failures))).toEqual([15_000, 30_000, 240_000]);
  setLive(feedName('main', 3), true);
  expect(pollInterval(key, 0)).toBe(false);
  expect(pollInterval(['cloud_a/us-east-1', 3, 'task'], 0)).toBe(15_000);
  setLive(feedName('main', 3), false);
  expect(pollInterval(key, 0)).toBe(15_000);
});

test('what belongs to no tenant is not polled', () => {
  expect(pollInterval(['main', null, 'account'], 0)).toBe(false);
});

test('listeners hear of changes alone', () => {
  let calls = 0;
  const stop = subscribeToFeeds(() => calls++);
  setLive('x 1', true);
  setLive('x 1', true);
  expect([calls, isLive('x 1')]).toEqual([1, true]);
  stop();
  setLive('x 1', false);
  expect(calls).toBe(1);
});

import { durationText, exactTime, refreshAfter, relativeTime } from './time.ts';

const now = new Date('2026-03-14T09:26:53Z');
const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);

test.each([
  [-2, 'now'],
  [-59, '59 sec. ago'],
  [-60, '1 min. ago'],
  [-3599, '59 min. ago'],
  [7200, 'in 2 hr.'],
  [-90_000, '1 day ago'],
  [-3 * 31_536_000, '3 yr. ago'],
])('%i seconds from now', (seconds, text) => {
  expect(relativeTime(at(seconds), now)).toBe(text);
});

test('the exact time names its zone', () => {
  expect(exactTime(now, 'utc')).toBe('2026-03-14 09:26:53 UTC');
  expect(exactTime(now, 'local')).toMatch(/^2026-03-1\d \d\d:\d6:53 \S+$|^2026-03-1\d \d\d:\d\d:53 \S+/);
});

test('a young time is refreshed more often', () => {
  expect([-10, -600, -90_000].map((seconds) => refreshAfter(at(seconds), now))).toEqual([
    5000, 30_000, 600_000,
  ]);
});

test('a duration has its two largest units', () => {
  expect(durationText(200)).toBe('less than 1 s');
  expect(durationText(4_400)).toBe('4 s');
  expect(durationText(125_000)).toBe('2 min 5 s');
  expect(durationText(3_600_000)).toBe('1 h');
  expect(durationText(90_061_000)).toBe('1 d 1 h');
});

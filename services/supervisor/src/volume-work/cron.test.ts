import { cronIssue, nextTime } from './cron.ts';

const friday = new Date('2026-03-13T12:00:00Z');

test.each([
  ['0 3 * * *', '2026-03-14T03:00:00.000Z'],
  ['30 2 * * 1-5', '2026-03-16T02:30:00.000Z'],
  ['0 0 29 2 *', '2028-02-29T00:00:00.000Z'],
  // the night in which other clocks are put forward
  ['30 2 29 3 *', '2026-03-29T02:30:00.000Z'],
  ['0 */1 * * *', '2026-03-13T13:00:00.000Z'],
])('%s comes next at %s, in UTC', (cron, next) => {
  expect(cronIssue(cron, friday)).toBeNull();
  expect(nextTime(cron, friday)?.toISOString()).toBe(next);
});

test.each(['', 'daily', '* * *', '0 0 3 * * *', '61 * * * *', '0 3 * * * 2026', '0 3 * * x'])(
  '%p is no schedule',
  (cron) => expect(cronIssue(cron, friday)).toMatch(/five fields/),
);

test.each(['* * * * *', '*/30 * * * *', '0,59 3 * * *', '0,59 3,4 * * *'])(
  '%s leaves less than an hour between two backups',
  (cron) => expect(cronIssue(cron, friday)).toMatch(/leave 1 h/),
);

test('what never comes is refused', () => {
  expect(cronIssue('0 0 30 2 *', friday)).toBe('never comes');
});

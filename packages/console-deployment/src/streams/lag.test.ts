import type { ConsumerLag } from '@sluice/client';
import { alertsIn, linesOf } from './lag.ts';

const lag: ConsumerLag = {
  ...{ stream: 'orders', step_seconds: 60, aggregate: 'max' },
  times: [],
  columns: [
    { consumer: 'slow', values: [null, 7, null, null, null, null, null, null, 9] },
    ...Array.from({ length: 5 }, (_, n) => ({ consumer: `c${n}`, values: [100 + n] })),
  ],
  alerts: [
    { consumer: 'c1', threshold: 100, raised_at: '2026-03-14T08:00:00.000Z' },
    { consumer: 'c4', threshold: 10_000, raised_at: '2026-03-14T09:30:00.000Z' },
  ],
};

test('lines are those of the consumers that lagged most', () => {
  expect(linesOf(lag).map(({ name }) => name)).toEqual(['c4', 'c3', 'c2', 'c1', 'c0']);
});

test('a lag stands until the next report, and for five minutes at most', () => {
  const [line] = linesOf({ ...lag, columns: lag.columns.slice(0, 1) });
  expect(line?.values).toEqual([null, 7, 7, 7, 7, 7, 7, null, 9]);
});

test('alerts of the time are marked', () => {
  expect(alertsIn(lag, { from: '2026-03-14T09:00:00.000Z', to: '2026-03-14T10:00:00.000Z' })).toEqual([
    { at: '2026-03-14T09:30:00.000Z', title: 'Alert: the lag of c4 has reached 10,000' },
  ]);
});

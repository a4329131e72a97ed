import type { UsageLine } from '@sluice/client';
import { byGroup, overTime, usageQueryOf } from './usage.ts';

const none = '0.000000';
const line = (day: number, id: number, total: string, name = `d${id}`): UsageLine => ({
  from: `2026-03-0${day}T00:00:00.000Z`,
  to: `2026-03-0${day + 1}T00:00:00.000Z`,
  about: { id, name },
  seconds: 3600,
  total_usd: total,
  breakdown: {
    ...{ compute_usd: total, storage_usd: none, network_usd: none },
    ...{ telemetry_usd: none, data_retention_usd: none },
  },
});

test('months are those of UTC', () => {
  const now = new Date('2026-01-31T23:30:00.000Z');
  expect(usageQueryOf({}, now)).toEqual({
    from: '2026-01-01T00:00:00.000Z',
    granularity: 'day',
    group_by: 'deployment',
  });
  expect(usageQueryOf({ span: 'last_month', group: 'division' }, now)).toEqual({
    from: '2025-12-01T00:00:00.000Z',
    to: '2026-01-01T00:00:00.000Z',
    granularity: 'day',
    group_by: 'division',
  });
  expect(usageQueryOf({ span: 'year', label: 'team' }, now)).toEqual({
    from: '2025-02-01T00:00:00.000Z',
    granularity: 'month',
    label: 'team',
  });
});

test('groups are added up exactly, and have their last name', () => {
  const lines = [line(1, 1, '0.100000'), line(1, 2, '5.000000'), line(2, 1, '0.200000', 'renamed')];
  expect(byGroup(lines)).toEqual([
    { key: '#2', name: 'd2', micros: 5_000_000n, seconds: 3600 },
    { key: '#1', name: 'renamed', micros: 300_000n, seconds: 7200 },
  ]);
});

test('the chart has the most expensive groups, and the others as one', () => {
  const lines = [1, 2, 3, 4, 5, 6].map((id) => line(1, id, `${id}.000000`));
  const { times, series } = overTime([...lines, line(2, 6, '1.500000')]);
  expect(times).toEqual([Date.UTC(2026, 2, 1) / 1000, Date.UTC(2026, 2, 2) / 1000]);
  expect(series.map(({ name }) => name)).toEqual(['d6', 'd5', 'd4', 'd3', 'All others']);
  expect(series[0]?.values).toEqual([6_000_000, 1_500_000]);
  expect(series[4]?.values).toEqual([3_000_000, 0]);
});

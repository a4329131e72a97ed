import type { GetUsageData, UsageLine } from '@sluice/client';
import { microsOf } from '@sluice/console-core/lib/micros.ts';

export const usageGroups = ['deployment', 'environment', 'division', 'component'] as const;
export const usageSpans = ['month', 'last_month', 'year'] as const;

type UsageGroup = (typeof usageGroups)[number];
type UsageSpan = (typeof usageSpans)[number];

export interface UsageSearch {
  span?: UsageSpan | undefined;
  group?: UsageGroup | undefined;
  /** the key of a label, in place of a group */
  label?: string | undefined;
}

/** The usage that is asked for. Months are those of UTC, as on invoices. */
export function usageQueryOf({ span = 'month', group = 'deployment', label }: UsageSearch, now: Date) {
  const month = (offset: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString();
  const range = {
    month: { from: month(0) },
    last_month: { from: month(-1), to: month(0) },
    year: { from: month(-11) },
  }[span];
  return {
    ...range,
    granularity: span === 'year' ? 'month' : 'day',
    ...(label === undefined ? { group_by: group } : { label }),
  } satisfies GetUsageData['query'];
}

const componentNames = {
  compute: 'Compute',
  storage: 'Storage',
  network: 'Network',
  telemetry: 'Telemetry',
  data_retention: 'Retention',
} as const;

/** What a line is about, in words. */
const nameOf = ({ about, component, label }: UsageLine): string =>
  about?.name ?? (component ? componentNames[component] : (label ?? 'without the label'));

export interface GroupUsage {
  key: string;
  name: string;
  micros: bigint;
  seconds: number;
}

/** What each group has used in all, the most expensive first. */
export function byGroup(lines: readonly UsageLine[]): GroupUsage[] {
  const groups = new Map<string, GroupUsage>();
  for (const line of lines) {
    const key = line.about ? `#${line.about.id}` : nameOf(line);
    const group = groups.get(key) ?? { key, name: nameOf(line), micros: 0n, seconds: 0 };
    group.name = nameOf(line);
    group.micros += microsOf(line.total_usd);
    group.seconds += line.seconds;
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => (a.micros === b.micros ? 0 : a.micros < b.micros ? 1 : -1));
}

/** so many have a line of their own in the chart */
const mostSeries = 4;

/** The cost over time, in millionths of a dollar: of the most expensive groups, and of all others together. */
export function overTime(lines: readonly UsageLine[]) {
  const groups = byGroup(lines);
  const shown = groups.slice(0, mostSeries);
  const times = [...new Set(lines.map(({ from }) => from))].sort();
  const names = [...shown.map(({ name }) => name), ...(groups.length > mostSeries ? ['All others'] : [])];
  const sums = names.map(() => times.map(() => 0n));
  for (const line of lines) {
    const key = line.about ? `#${line.about.id}` : nameOf(line);
    const found = shown.findIndex((group) => group.key === key);
    const sum = sums[found === -1 ? shown.length : found];
    const at = times.indexOf(line.from);
    if (sum) sum[at] = (sum[at] ?? 0n) + microsOf(line.total_usd);
  }
  return {
    times: times.map((time) => Date.parse(time) / 1000),
    series: names.map((name, index) => ({ name, values: (sums[index] ?? []).map(Number) })),
  };
}

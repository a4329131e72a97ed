import type { ConsumerLag } from '@sluice/client';
import type { ChartEvent, Series } from '@sluice/ui/chart-model.ts';
import { formatCount } from '@sluice/ui/lib/quantity.ts';

/** lines that can be told apart */
const mostLines = 5;

const highest = (values: readonly (number | null)[]) => Math.max(...values.map((value) => value ?? 0));

/** What was reported stands until the next report: a lag that does not change is reported every five minutes. Seconds. */
const standsFor = 300;

/** The values with short gaps filled, so that a lag that stayed as it was is a line. */
function carriedOn(values: readonly (number | null)[], step: number): (number | null)[] {
  let last: number | null = null;
  let age = 0;
  return values.map((value) => {
    if (value !== null) [last, age] = [value, 0];
    else age += step;
    return age <= standsFor ? last : null;
  });
}

/** The lines of the chart: the consumers that lagged most, the greatest first. */
export const linesOf = ({ columns, step_seconds: step }: ConsumerLag): Series[] =>
  columns
    .map(({ consumer, values }) => ({ name: consumer, values: carriedOn(values, step) }))
    .toSorted((one, other) => highest(other.values) - highest(one.values))
    .slice(0, mostLines);

/** Alerts that were raised in the time, and are not resolved. */
export const alertsIn = ({ alerts }: ConsumerLag, { from, to }: { from: string; to: string }): ChartEvent[] =>
  alerts
    .filter(({ raised_at: at }) => Date.parse(at) >= Date.parse(from) && Date.parse(at) < Date.parse(to))
    .map(({ consumer, threshold, raised_at: at }) => ({
      at,
      title: `Alert: the lag of ${consumer} has reached ${formatCount(threshold)}`,
    }));

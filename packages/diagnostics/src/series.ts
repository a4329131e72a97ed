import type { SeenSeries } from './seen-node.ts';
import { charts } from './report/charts.ts';

/** What a program has measured until a time: of each metric, the least, the most, the sum and how many. */
interface Measured {
  at: Date;
  runtime: SeenSeries['runtime'];
  /** 0: of the program itself */
  instance_id: number;
  metrics: Record<string, [least: number, most: number, sum: number, count: number]>;
}

/** the figures that reports show over time, by what they are of */
const figures = charts.flatMap(({ runtime, metrics }) =>
  Object.keys(metrics).map((metric) => ({ runtime, metric })),
);
export const charted = [...new Set(figures.map(({ runtime }) => runtime))];

/** The figures of a node in the order of time, as far as there are any. */
export function seriesOf(measured: readonly Measured[], now: Date): SeenSeries[] {
  const inOrder = [...measured].sort((one, other) => one.at.getTime() - other.at.getTime());
  return figures.flatMap(({ runtime, metric }) => {
    const samples = inOrder.flatMap(({ at, metrics, ...entry }) => {
      const summed = entry.runtime === runtime && entry.instance_id === 0 ? metrics[metric] : undefined;
      return summed === undefined ? [] : [{ at: at.getTime(), summed }];
    });
    const points = metric.endsWith('_total') ? growth(samples) : averages(samples);
    const shown = points.map(({ at, value }): [number, number] => [
      Math.round((now.getTime() - at) / 1_000),
      Number(value.toPrecision(5)),
    ]);
    return shown.length === 0 ? [] : [{ runtime, metric, points: shown }];
  });
}

interface Sample {
  /** milliseconds since 1970 */
  at: number;
  summed: Measured['metrics'][string];
}
interface Point {
  at: number;
  value: number;
}

const averages = (samples: readonly Sample[]): Point[] =>
  samples.map(({ at, summed: [, , sum, count] }) => ({ at, value: sum / Math.max(1, count) }));

/** What a counter has grown by, in a second; where it began anew, nothing is known. */
const growth = (samples: readonly Sample[]): Point[] =>
  samples.slice(1).flatMap(({ at, summed }, index) => {
    const former = samples[index];
    if (!former || at <= former.at) return [];
    const grown = summed[1] - former.summed[1];
    return grown < 0 ? [] : [{ at, value: (grown * 1_000) / (at - former.at) }];
  });

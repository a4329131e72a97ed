import type { Measurement } from '@sluice/client';

/** What one metric of a program on a node was over a time. */
export interface Series {
  /** `broker.cpu_percent`; a counter is a rate: `broker.messages_received_per_second` */
  metric: string;
  node_id: number;
  connector_instance_id: number | null;
  last: number;
  min: number;
  avg: number;
  max: number;
  /** oldest first */
  points: Point[];
}

interface Point {
  at: string;
  value: number;
}

/** Those of instances of connectors, whose names do not tell (documents of the Supervisor API, `Measurement`). */
const counters = new Set([
  ...['messages_produced', 'messages_consumed', 'messages_sent', 'messages_processed', 'messages_filtered'],
  'errors',
]);

/** @param measured as the API lists it, newest first. @returns by metric, node and instance */
export function seriesOf(measured: readonly Measurement[]): Series[] {
  const found = new Map<string, Pick<Series, 'metric' | 'node_id' | 'connector_instance_id'> & Raw>();
  for (const { at, node_id, runtime, connector_instance_id, metrics } of [...measured].reverse()) {
    for (const [name, { avg, max }] of Object.entries(metrics)) {
      const isCounter = name.endsWith('_total') || (connector_instance_id !== null && counters.has(name));
      const metric = `${runtime}.${isCounter ? `${name.replace(/_total$/, '')}_per_second` : name}`;
      const key = `${metric} ${node_id} ${connector_instance_id}`;
      const series = found.get(key) ?? { metric, node_id, connector_instance_id, isCounter, raw: [] };
      series.raw.push({ at, value: isCounter ? max : avg });
      found.set(key, series);
    }
  }
  return [...found.values()]
    .map(({ isCounter, raw, ...of }) => ({ ...of, points: isCounter ? rates(raw) : raw }))
    .filter(({ points }) => points.length > 0)
    .map(({ points, ...of }) => ({ ...of, ...summary(points.map(({ value }) => value)), points }))
    .sort((one, other) => one.metric.localeCompare(other.metric) || one.node_id - other.node_id);
}

interface Raw {
  isCounter: boolean;
  raw: Point[];
}

const summary = (values: readonly number[]) => ({
  last: values.at(-1) ?? 0,
  min: Math.min(...values),
  avg: values.reduce((sum, value) => sum + value, 0) / values.length,
  max: Math.max(...values),
});

/** The growth per second from point to point. A counter that is smaller has begun anew. */
const rates = (points: readonly Point[]): Point[] =>
  points.slice(1).flatMap(({ at, value }, index) => {
    const before = points[index];
    const seconds = before ? (Date.parse(at) - Date.parse(before.at)) / 1_000 : 0;
    if (!before || seconds <= 0) return [];
    return [{ at, value: (value < before.value ? value : value - before.value) / seconds }];
  });

const bars = '▁▂▃▄▅▆▇█';

/** A line of so many characters over a time; what was not measured is blank. A value that stays is a low line. */
export function sparkline(
  { points, min, max }: Pick<Series, 'points' | 'min' | 'max'>,
  width: number,
  [from, to]: readonly [number, number],
): string {
  const sums = Array.from({ length: width }, () => ({ sum: 0, count: 0 }));
  for (const { at, value } of points) {
    const place = Math.floor(((Date.parse(at) - from) / Math.max(1, to - from)) * width);
    const cell = sums[Math.min(width - 1, Math.max(0, place))];
    if (cell) [cell.sum, cell.count] = [cell.sum + value, cell.count + 1];
  }
  return sums
    .map(({ sum, count }) => {
      if (count === 0) return ' ';
      const height = max === min ? 0 : (sum / count - min) / (max - min);
      return bars[Math.min(bars.length - 1, Math.floor(height * bars.length))] ?? ' ';
    })
    .join('');
}

const scale = ['', 'k', 'M', 'G', 'T', 'P'];

/** A number in three or four digits: `1.2 MB`, `12.5 %`, `3.4k/s`. */
export function amount(metric: string, value: number): string {
  if (metric.endsWith('_percent')) return `${value.toFixed(1)} %`;
  const rate = metric.endsWith('_per_second') ? '/s' : '';
  const power = Math.min(scale.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  const scaled = value / 1_000 ** power;
  const digits = Number.isInteger(scaled) || scaled >= 100 ? scaled.toFixed(0) : scaled.toFixed(1);
  const isBytes = metric.includes('bytes') || metric.includes('network_');
  return isBytes ? `${digits} ${scale[power]}B${rate}` : `${digits}${scale[power]}${rate}`;
}

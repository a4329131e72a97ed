import type { LiveDeployment, Measurement, TenantDeployment } from '@sluice/client';
import stringWidth from 'string-width';
import { amount, seriesOf, sparkline } from '../src/commands/metrics/series.ts';
import { arranged, detailsOf, headersOf, layoutFor, rowLine, type Row } from '../src/commands/watch/rows.ts';
import { lasting } from '../src/time.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

function sample(
  second: number,
  metrics: Record<string, number>,
  more: Partial<Measurement> = {},
): Measurement {
  const values = Object.entries(metrics).map(([name, value]) => {
    return [name, { min: value, avg: value, max: value }] as const;
  });
  return {
    ...{ at: at(second), node_id: 1, runtime: 'broker', connector_instance_id: null },
    ...{ samples: 1, status: null, metrics: Object.fromEntries(values), ...more },
  };
}

test('a counter is a rate, also after it has begun anew, and a gauge is itself', () => {
  const counts = [100, 200, 50, 50].map((count, index) =>
    sample(index * 10, { bytes_sent_total: count, connections: index }),
  );
  const [bytes, connections] = seriesOf(counts.reverse());
  expect(bytes).toMatchObject({
    ...{ metric: 'broker.bytes_sent_per_second', last: 0, min: 0, max: 10, avg: 5 },
    points: [
      { at: at(10), value: 10 },
      { at: at(20), value: 5 },
      { at: at(30), value: 0 },
    ],
  });
  expect(connections).toMatchObject({ metric: 'broker.connections', last: 3, min: 0, avg: 1.5 });
  // one sample of a counter is no rate
  expect(seriesOf([sample(0, { bytes_sent_total: 1 })])).toEqual([]);
  const of = { connector_instance_id: 7 };
  const [errors] = seriesOf([sample(10, { errors: 3 }, of), sample(0, { errors: 1 }, of)]);
  expect(errors).toMatchObject({ metric: 'broker.errors_per_second', connector_instance_id: 7, last: 0.2 });
});

test('a line has a bar for each time that was measured', () => {
  const points = [0, 10, 20, 50].map((second, value) => ({ at: at(second), value }));
  const range = [Date.parse(at(0)), Date.parse(at(60))] as const;
  expect(sparkline({ points, min: 0, max: 3 }, 6, range)).toBe('▁▃▆  █');
  expect(sparkline({ points: [points[0]!], min: 0, max: 0 }, 3, range)).toBe('▁  ');
});

test.each([
  ['broker.memory_bytes', 20_400_000, '20.4 MB'],
  ['broker.bytes_sent_per_second', 0, '0 B/s'],
  ['broker.messages_sent_per_second', 1_234, '1.2k/s'],
  ['node.cpu_percent', 12.34, '12.3 %'],
  ['broker.connections', 999, '999'],
])('%s of %d is shown as %s', (metric, value, text) => expect(amount(metric, value)).toBe(text));

test.each([
  [400, '0s'],
  [61_000, '1m 1s'],
  [3_600_000, '1h'],
  [90_000_000, '1d 1h'],
])('%d milliseconds are %s', (milliseconds, text) => expect(lasting(milliseconds)).toBe(text));

const row = (name: string, status: string, rate: number, reason: string | null = null): Row => ({
  deployment: {
    name,
    status,
    status_reason: reason,
    tier: 'small',
    cloud: 'cloud_a',
    region: 'us-east-1',
    nodes_count: 3,
  } as TenantDeployment,
  place: `payments/dev/${name}`,
  live: {
    ...{ status, status_reason: reason },
    nodes: ['healthy', 'healthy', 'unreachable'].map((is, index) => ({
      ...{
        name: `node-${index + 1}`,
        status: is,
        leader: index === 0,
        runtimes: [{ runtime: 'broker', status: 'running' }],
      },
    })),
    conditions: [
      { type: 'AgentsConnected', status: 'False', message: 'node-3: silent' },
      { type: 'Ready', status: 'True', message: '' },
    ],
  } as unknown as LiveDeployment,
  series: seriesOf([
    sample(10, { messages_received_total: rate * 10 }),
    sample(0, { messages_received_total: 0 }),
  ]),
});

const rows = [
  row('orders', 'initialized', 5),
  row('billing', 'failed', 50, 'data_lost'),
  row('日本\u001b[31m', 'stopped', 0),
];

test.each([40, 80, 200])('lines fill a terminal of %d columns, and no more', (width) => {
  const layout = layoutFor(width);
  const lines = [headersOf(layout, 0), ...rows.map((one) => rowLine(one, layout))];
  expect(lines.map((line) => stringWidth(line))).toEqual(lines.map(() => width));
  expect(lines.join('')).not.toContain('\u001b');
  expect(lines[2]).toContain('failed');
  expect(lines[2]?.includes('2/3')).toBe(width >= 60);
  expect(lines[2]?.includes('data_lost')).toBe(width >= 180);
});

test('rows are sorted by the column, and filtered by all that is shown', () => {
  const layout = layoutFor(80);
  const names = (sortedBy: number, filter = '') =>
    arranged(rows, { filter, sortedBy, layout }).map(({ deployment }) => deployment.name.slice(0, 7));
  expect(names(0).slice(0, 2)).toEqual(['billing', 'orders']);
  const received = layout.columns.findIndex(({ header }) => header === 'IN');
  expect(names(received).slice(0, 2)).toEqual(['billing', 'orders']);
  expect(names(1)[0]).toBe('billing');
  expect(names(0, 'DATA_LOST')).toEqual(['billing']);
  expect(names(0, 'nothing')).toEqual([]);
});

test('the details say what is wrong, and how each node is', () => {
  expect(detailsOf(rows[1]!, 40)).toEqual([
    'data_lost',
    'AgentsConnected: node-3: silent',
    'node-1: healthy, leads (broker running)',
    'node-2: healthy (broker running)',
    'node-3: unreachable (broker running)',
  ]);
});

import type { MetricColumn, MetricSeries } from '@sluice/client';
import { formatBytes, formatCount } from '@sluice/ui/lib/quantity.ts';
import type { Series } from '@sluice/ui/chart-model.ts';

export interface ShownChart {
  title: string;
  aggregate: 'avg' | 'rate';
  /** by metric, the name of its line where the chart has several */
  metrics: Readonly<Record<string, string>>;
  format: (value: number) => string;
}

const percent = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} %`;
const bytes = (value: number) => formatBytes(Math.round(value));
const bytesPerSecond = (value: number) => `${bytes(value)}/s`;
const count = (value: number) => formatCount(Number(value.toPrecision(value < 100 ? 3 : 6)));
const perSecond = (value: number) => `${count(value)}/s`;

/** The charts of a deployment, in their order. What grows for ever is shown as its growth in a second. */
export const charts: readonly ShownChart[] = [
  {
    title: 'Messages',
    aggregate: 'rate',
    metrics: { 'broker.messages_received_total': 'received', 'broker.messages_sent_total': 'sent' },
    format: perSecond,
  },
  {
    title: 'Payload',
    aggregate: 'rate',
    metrics: { 'broker.bytes_received_total': 'received', 'broker.bytes_sent_total': 'sent' },
    format: bytesPerSecond,
  },
  { title: 'Connections', aggregate: 'avg', metrics: { 'broker.connections': '' }, format: count },
  {
    title: 'Slow consumers',
    aggregate: 'rate',
    metrics: { 'broker.slow_consumers_total': '' },
    format: perSecond,
  },
  { title: 'Messages stored', aggregate: 'avg', metrics: { 'broker.messages_stored': '' }, format: count },
  { title: 'Stored', aggregate: 'avg', metrics: { 'broker.stored_bytes': '' }, format: bytes },
  {
    title: 'Processors',
    aggregate: 'avg',
    metrics: { 'node.cpu_percent': 'node', 'broker.cpu_percent': 'broker' },
    format: percent,
  },
  { title: 'Memory of the node', aggregate: 'avg', metrics: { 'node.memory_percent': '' }, format: percent },
  { title: 'Memory of the broker', aggregate: 'avg', metrics: { 'broker.memory_bytes': '' }, format: bytes },
  { title: 'Volume', aggregate: 'avg', metrics: { 'node.disk_percent': '' }, format: percent },
  {
    title: 'Network',
    aggregate: 'rate',
    metrics: { 'node.network_received_bytes_total': 'received', 'node.network_sent_bytes_total': 'sent' },
    format: bytesPerSecond,
  },
];

/** What one request asks for: the API takes ten metrics of one aggregate. */
export const metricsOf = (aggregate: ShownChart['aggregate']): string[] =>
  charts.filter((one) => one.aggregate === aggregate).flatMap(({ metrics }) => Object.keys(metrics));

/** The lines of a chart, one for each metric and node that has it; nodes are named where there are several. */
export function seriesOf(
  { metrics, title }: ShownChart,
  { columns }: Pick<MetricSeries, 'columns'>,
  nodeName: (id: number) => string,
): Series[] {
  const found = columns.filter(({ metric }) => metric in metrics);
  const hasSeveral = new Set(found.map(({ node_id: node }) => node)).size > 1;
  const nameOf = ({ metric, node_id: node }: MetricColumn) =>
    [hasSeveral && nodeName(node), metrics[metric]].filter(Boolean).join(' ') || title;
  return found
    .filter(({ values }) => values.some((value) => value !== null))
    .map((column) => ({ name: nameOf(column), values: column.values }));
}

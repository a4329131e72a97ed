import { listMetrics, paginate, type Measurement, type ListMetricsData } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { usageError } from '@sluice/terminal/errors';
import type { View } from '@sluice/terminal/output';
import { inDeployment } from '../entries/entries.ts';
import { amount, seriesOf, sparkline, type Series } from './series.ts';

type Runtime = NonNullable<NonNullable<ListMetricsData['query']>['runtime']>;

const runtimes: readonly Runtime[] = ['node', 'agent', 'gateway', 'broker', 'connectors'];
const chosenByDefault = [
  ...['broker.messages_received_per_second', 'broker.messages_sent_per_second', 'broker.connections'],
  ...['broker.messages_stored', 'broker.stored_bytes', 'broker.cpu_percent', 'broker.memory_bytes'],
  'node.disk_percent',
];
const hourMs = 3_600_000;

interface MetricsFlags {
  metric?: string[];
  all?: boolean;
  since?: Date;
  node?: number;
}

export async function metrics(
  cli: Cli,
  at: string | undefined,
  { metric, all = false, since = new Date(Date.now() - hourMs), node }: MetricsFlags,
): Promise<void> {
  if (all && metric) throw usageError('--all and --metric exclude each other.', 'pass one of them');
  const call = await inDeployment(cli, at);
  const to = new Date();
  const range = { from: since.toISOString(), to: to.toISOString(), ...(node !== undefined && { node }) };
  const wanted = metric ?? (all ? undefined : chosenByDefault);
  const measured: Measurement[] = [];
  for (const runtime of runtimesOf(wanted))
    for await (const one of paginate(listMetrics, {
      ...call,
      query: { ...range, ...(runtime && { runtime }) },
    }))
      measured.push(one);
  measured.sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
  const series = seriesOf(measured);
  const shown = wanted ? chosen(series, wanted, metric !== undefined) : series;
  await cli.output.list(shown, viewOf(shown, cli.io.columns, [since.getTime(), to.getTime()]));
}

/** The programs that have what is wanted; one that is undefined stands for all. */
function runtimesOf(wanted: readonly string[] | undefined): readonly (Runtime | undefined)[] {
  const prefixes = new Set(wanted?.map((name) => name.split('.')[0]));
  const known = runtimes.filter((runtime) => prefixes.has(runtime));
  return wanted && known.length === prefixes.size ? known : [undefined];
}

/** @throws CliError 2 where nothing of that name was measured, with what was */
function chosen(series: readonly Series[], wanted: readonly string[], isStrict: boolean): Series[] {
  const isCalled = ({ metric }: Series, name: string) => metric === name || metric.endsWith(`.${name}`);
  const unknown = wanted.find((name) => !series.some((one) => isCalled(one, name)));
  if (isStrict && unknown !== undefined && series.length > 0) {
    const names = [...new Set(series.map(({ metric }) => metric))];
    throw usageError(`--metric: ${unknown} was not measured.`, `there are: ${names.join(', ')}`);
  }
  return wanted.flatMap((name) => series.filter((one) => isCalled(one, name)));
}

const gap = 2;
const headers = { metric: 'METRIC', node: 'NODE', last: 'LAST' };

function viewOf(
  series: readonly Series[],
  columns: number | undefined,
  range: readonly [number, number],
): View<Series> {
  const severalNodes = new Set(series.map(({ node_id }) => node_id)).size > 1;
  const isWide = columns === undefined || columns >= 80;
  const texts = [
    { header: headers.metric, value: titleOf },
    ...(severalNodes ? [{ header: headers.node, value: ({ node_id }: Series) => String(node_id) }] : []),
    { header: headers.last, value: ({ metric, last }: Series) => amount(metric, last) },
    ...(isWide
      ? (['min', 'avg', 'max'] as const).map((of) => ({
          header: of.toUpperCase(),
          value: (one: Series) => amount(one.metric, one[of]),
        }))
      : []),
  ];
  const taken = texts.reduce(
    (sum, { header, value }) =>
      sum + gap + Math.max(header.length, ...series.map((one) => value(one).length)),
    0,
  );
  const width = columns === undefined ? 60 : Math.min(120, Math.max(8, columns - taken));
  return {
    name: ({ metric }) => metric,
    empty: 'Nothing was measured in that time. Nodes send what they measure every half minute.',
    columns: [...texts, { header: 'TREND', value: (one) => sparkline(one, width, range) }],
  };
}

/** `broker.messages_received_per_second` is `broker messages received`: the unit tells the rest. */
const titleOf = ({ metric, connector_instance_id: instance }: Series): string => {
  const title = metric.replace(/_(per_second|percent|bytes)$/, '').replace(/[._]/g, ' ');
  return instance === null ? title : `${title} of ${instance}`;
};

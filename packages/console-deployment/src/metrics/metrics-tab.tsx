import { useMemo } from 'react';
import { getRouteApi } from '@tanstack/react-router';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getMetricSeries, type MetricSeries } from '@sluice/client';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { refreshOf, timesOf, type MetricRange } from '@sluice/console-core/lib/ranges.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { RangeSelect } from '@sluice/console-core/parts/range-select.tsx';
import { Chart } from '@sluice/ui/chart.tsx';
import type { ChartEvent } from '@sluice/ui/chart-model.ts';
import { Card, Time } from '@sluice/ui/data.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import layout from '@sluice/ui/layout.module.css';
import { useDeployment } from '../deployment-context.ts';
import { historyQuery, liveQuery, tasksQuery } from '../queries.ts';
import { charts, metricsOf, seriesOf, type ShownChart } from './charts.ts';
import { happenedIn } from './happened.ts';
import { NodeSelect } from './node-select.tsx';
import styles from './metrics.module.css';

const route = getRouteApi('/t/$tenantId/d/$divisionId/$environmentId/$deploymentId/metrics');

/** What the nodes and the broker have measured, over a range that stands in the address. */
export function MetricsTab() {
  const open = useDeployment();
  const { deployment, path, words } = open;
  const { range = '1h', node } = route.useSearch();
  const navigate = route.useNavigate();
  const averages = useSeries('avg', range, node);
  const rates = useSeries('rate', range, node);
  const { data: statuses } = useQuery(historyQuery(open));
  const { data: tasks } = useQuery(tasksQuery(open));
  const { from, to } = averages.data ?? rates.data ?? noTimes;
  const span = useMemo(() => ({ from, to }), [from, to]);
  const events = useMemo(
    () => happenedIn({ statuses: statuses?.items, tasks, upgrades: deployment.upgrades }, span),
    [statuses, tasks, deployment.upgrades, span],
  );
  const read = { avg: averages.data?.series, rate: rates.data?.series };
  const error = averages.error ?? rates.error;
  const isAll = averages.data !== undefined && rates.data !== undefined;
  const isEmpty = isAll && [averages, rates].every(({ data }) => data?.series.columns.length === 0);
  return (
    <div className={layout.closeStack}>
      <div className={layout.row}>
        <RangeSelect
          range={range}
          onChange={(chosen) => void navigate({ search: (before) => ({ ...before, range: chosen }) })}
        />
        <NodeSelect
          node={node}
          onChange={(chosen) => void navigate({ search: (before) => ({ ...before, node: chosen }) })}
        />
        <span className={layout.spacer} />
        <AsCode
          command={[
            'metrics',
            words,
            '--since',
            range,
            ...(node === undefined ? [] : ['--node', String(node)]),
          ]}
          request={{
            method: 'GET',
            path: `/deployments/${path.deployment_id}/metrics/series`,
            query: { metrics: metricsOf('avg').join(','), from, to, node },
            layer: 'supervisor',
          }}
        />
      </div>
      {error && !isAll ? (
        <Card>
          <ErrorState error={error} onRetry={() => void Promise.all([averages.refetch(), rates.refetch()])} />
        </Card>
      ) : isEmpty ? (
        <Card>
          <EmptyState title="Nothing was measured in this time">
            {refreshOf(range) > 60_000
              ? 'Numbers of longer ranges are summed up, which takes some minutes. A shorter range has each sample.'
              : 'Nodes send what they measure every half minute, once they run.'}
          </EmptyState>
        </Card>
      ) : (
        <div className={styles.charts}>
          {charts.map((chart) => (
            <OneChart
              key={chart.title}
              chart={chart}
              series={read[chart.aggregate]}
              span={span}
              events={events}
            />
          ))}
        </div>
      )}
      <Happened events={events} />
    </div>
  );
}

const noTimes = { from: new Date(0).toISOString(), to: new Date(0).toISOString() };

/** The columns of one aggregate, with the times that they are about. */
function useSeries(aggregate: ShownChart['aggregate'], range: MetricRange, node: number | undefined) {
  const { path, layer, supervisor } = useDeployment();
  const { tenant_id, deployment_id } = path;
  return useQuery({
    queryKey: keyOf(layer, tenant_id, 'metrics', deployment_id, aggregate, range, node),
    queryFn: async ({ signal }) => {
      const times = timesOf(range, new Date());
      const { data: series } = await getMetricSeries({
        client: supervisor,
        path: { deployment_id },
        query: { ...times, metrics: metricsOf(aggregate), aggregate, ...(node !== undefined && { node }) },
        signal,
      });
      return { ...times, series };
    },
    placeholderData: keepPreviousData,
    refetchInterval: refreshOf(range),
  });
}

function OneChart({
  chart,
  series,
  span,
  events,
}: {
  chart: ShownChart;
  series: MetricSeries | undefined;
  span: { from: string; to: string };
  events: readonly ChartEvent[];
}) {
  const { data: live } = useQuery(liveQuery(useDeployment()));
  const times = useMemo(() => series?.times.map((at) => Date.parse(at) / 1000) ?? [], [series]);
  const lines = useMemo(
    () =>
      series &&
      seriesOf(chart, series, (id) => live?.nodes.find((node) => node.id === id)?.name ?? `node ${id}`),
    [chart, series, live],
  );
  return (
    <Card title={chart.title}>
      {!lines ? (
        <SkeletonLines count={6} />
      ) : lines.length === 0 ? (
        <p className={styles.none}>Nothing was measured in this time.</p>
      ) : (
        <Chart
          title={chart.title}
          times={times}
          series={lines}
          span={span}
          events={events}
          hidesEventList
          format={chart.format}
        />
      )}
    </Card>
  );
}

function Happened({ events }: { events: readonly ChartEvent[] }) {
  if (events.length === 0) return null;
  return (
    <Card title="What happened in this time">
      <p className={styles.about}>Each is a dashed line in the charts.</p>
      <ol className={styles.events}>
        {events.toReversed().map(({ at, title }) => (
          <li key={`${at} ${title}`}>
            <Time at={at} />
            <span>{title}</span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

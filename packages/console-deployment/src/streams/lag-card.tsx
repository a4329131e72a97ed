import { useMemo } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Chart } from '@sluice/ui/chart.tsx';
import { ComboBox } from '@sluice/ui/choice.tsx';
import { Card } from '@sluice/ui/data.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { formatCount } from '@sluice/ui/lib/quantity.ts';
import layout from '@sluice/ui/layout.module.css';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { RangeSelect } from '@sluice/console-core/parts/range-select.tsx';
import { useDeployment } from '../deployment-context.ts';
import { happenedIn } from '../metrics/happened.ts';
import { historyQuery, tasksQuery } from '../queries.ts';
import { alertsIn, linesOf } from './lag.ts';
import { lagQuery } from './queries.ts';

const route = getRouteApi('/t/$tenantId/d/$divisionId/$environmentId/$deploymentId/streams');
const all = 'all';

/** The lag of a stream's consumers over time, with what happened meanwhile. */
export function LagCard({ stream, names }: { stream: string; names: readonly string[] }) {
  const open = useDeployment();
  const { range = '1h', consumer } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery({
    ...lagQuery(open, { stream, consumer, range }),
    placeholderData: keepPreviousData,
  });
  const { data: statuses } = useQuery(historyQuery(open));
  const { data: tasks } = useQuery(tasksQuery(open));
  const { upgrades } = open.deployment;
  const shown = useMemo(() => {
    if (!data) return undefined;
    const happened = happenedIn({ statuses: statuses?.items, tasks, upgrades }, data.span);
    const events = [...happened, ...alertsIn(data.lag, data.span)].toSorted(
      (one, other) => Date.parse(one.at) - Date.parse(other.at),
    );
    return { lines: linesOf(data.lag), times: data.lag.times.map((at) => Date.parse(at) / 1000), events };
  }, [data, statuses, tasks, upgrades]);
  const path = `/deployments/${open.path.deployment_id}/streams/${encodeURIComponent(stream)}/lag`;
  return (
    <Card
      title="Lag"
      actions={
        <AsCode
          command={['api', 'GET', path]}
          request={{
            method: 'GET',
            path,
            query: { ...data?.span, aggregate: 'max', consumers: consumer },
            layer: 'supervisor',
          }}
        />
      }
    >
      <div className={layout.closeStack}>
        <div className={layout.row}>
          <RangeSelect
            range={range}
            onChange={(chosen) =>
              void navigate({ search: (before) => ({ ...before, range: chosen }), replace: true })
            }
          />
          <ComboBox
            label="Consumer"
            hideLabel
            options={[
              { key: all, label: 'Those that lag most' },
              // one that is not listed any more is still looked at by its address
              ...[...new Set([...names, ...(consumer === undefined ? [] : [consumer])])].map((key) => ({
                key,
                label: key,
              })),
            ]}
            value={consumer ?? all}
            onChange={(chosen) =>
              void navigate({
                search: (before) => ({
                  ...before,
                  consumer: chosen === all ? undefined : (chosen ?? undefined),
                }),
                replace: true,
              })
            }
          />
        </div>
        {!data || !shown ? (
          error ? (
            <ErrorState error={error} onRetry={() => void refetch()} />
          ) : (
            <SkeletonLines count={6} />
          )
        ) : shown.lines.length === 0 ? (
          <EmptyState title="No lag was reported in this time">
            Agents report consumers after some seconds. Ranges of more than three days are summed up by the
            hour.
          </EmptyState>
        ) : (
          <Chart
            title={`Lag of ${consumer ?? 'the consumers'}, messages`}
            times={shown.times}
            series={shown.lines}
            span={data.span}
            events={shown.events}
            format={formatCount}
          />
        )}
      </div>
    </Card>
  );
}

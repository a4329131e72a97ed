import { memo, useDeferredValue } from 'react';
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ContextRegion, Structure } from '@sluice/client';
import {
  contextQuery,
  currentCostQuery,
  deploymentsQuery,
  installationQuery,
  regionSummaryQuery,
  structureQuery,
  summaryQuery,
} from '@sluice/console-core/api/queries.ts';
import { allows } from '@sluice/console-core/api/permissions.ts';
import { useBreadcrumb } from '@sluice/console-core/parts/breadcrumb.ts';
import { formatCount, plural } from '@sluice/ui/lib/quantity.ts';
import { Card, Figures, Money, Time } from '@sluice/ui/data.tsx';
import { EmptyState, ErrorState, PartialState, Skeleton, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { Page } from '@sluice/ui/page.tsx';
import { Status, StatusIcon } from '@sluice/ui/status.tsx';
import layout from '@sluice/ui/layout.module.css';
import { DeploymentStatusMark } from '@sluice/console-core/parts/deployment-status.tsx';
import styles from './overview.module.css';

const route = getRouteApi('/t/$tenantId/');

const failedQuery = (tenantId: number) => deploymentsQuery(tenantId, { status: 'failed' });

/** What there is, how it is, and what needs attention. A region that is away is named, and the rest is shown. */
export function OverviewPage() {
  const { tenantId } = route.useParams();
  useBreadcrumb(['Overview'], 'overview');
  const { data: context } = useQuery(contextQuery(tenantId));
  const mayReadCost =
    context !== undefined && allows(context.permissions, { scope: 'tenant', permission: 'billing:read' });
  const { data: cost } = useQuery({ ...currentCostQuery(tenantId), enabled: mayReadCost });
  const { data: summary } = useQuery(summaryQuery(tenantId));
  const { data: structure, error, isPending, refetch } = useQuery(structureQuery(tenantId));
  const { isPending: isFailedPending } = useInfiniteQuery(failedQuery(tenantId));
  const regions = useRegions(tenantId, structure);
  const { isPending: isInstallationPending } = useQuery(installationQuery);
  // what is below the totals comes together, so that nothing moves that a person reads already; the totals come first
  const isKnown = useDeferredValue(!isPending && !isFailedPending && !isInstallationPending);
  const tree = useDeferredValue(structure);
  const away = regions.filter(({ isAway }) => isAway);
  const known = regions.flatMap(({ summary: one }) => (one ? [one] : []));
  const sum = (pick: (one: (typeof known)[number]) => number) =>
    known.reduce((all, one) => all + pick(one), 0);
  const wait = <Skeleton width="3rem" />;
  const isComplete =
    structure !== undefined &&
    !isInstallationPending &&
    regions.every((one) => one.summary !== undefined || one.isAway);
  const count = (value: number) => (isComplete ? formatCount(value) : wait);
  return (
    <Page title={context?.tenant.name ?? 'Overview'}>
      {away.length > 0 && (
        <PartialState onRetry={() => away.forEach(({ retry }) => retry())}>
          {away.map(({ region: { name } }) => name).join(', ')} cannot be reached. What is there is left out
          of the totals.
        </PartialState>
      )}
      {structure && isEmpty(structure) && (
        <Card title="Start">
          <EmptyState
            title="No deployment yet"
            actions={
              <Link to="/t/$tenantId/start" params={{ tenantId }} look="primary">
                Start with a free one
              </Link>
            }
          >
            From here to a connected client it is about a minute.
          </EmptyState>
        </Card>
      )}
      <Figures
        items={[
          {
            name: 'Deployments',
            value: summary ? formatCount(summary.total_deployments) : wait,
            note: summary ? `in ${plural(summary.total_environments, 'environment')}` : null,
          },
          {
            name: 'Nodes',
            value: count(sum((one) => one.healthy_nodes + one.unhealthy_nodes)),
            note: isComplete ? `${formatCount(sum((one) => one.healthy_nodes))} healthy` : null,
          },
          { name: 'Streams', value: count(sum((one) => one.total_streams)) },
          { name: 'Messages', value: count(sum((one) => one.total_messages)) },
          { name: 'Clients', value: count(sum((one) => one.total_clients)) },
          ...(mayReadCost
            ? [
                {
                  name: 'Cost this month',
                  value: cost ? <Money amount={cost.total_usd} /> : wait,
                  note: cost ? (
                    <>
                      <Money amount={cost.forecast_usd} /> by its end
                    </>
                  ) : null,
                },
              ]
            : []),
        ]}
      />
      {isKnown ? (
        <div className={styles.columns}>
          <div className={layout.stack}>
            <Attention tenantId={tenantId} />
            <Regions regions={regions} />
          </div>
          <Card title="Structure" flush>
            {tree ? (
              <Tree tenantId={tenantId} structure={tree} />
            ) : error ? (
              <ErrorState error={error} onRetry={() => void refetch()} />
            ) : (
              <SkeletonLines count={6} />
            )}
          </Card>
        </div>
      ) : (
        <SkeletonLines count={6} />
      )}
    </Page>
  );
}

const isEmpty = ({ divisions }: Structure): boolean =>
  divisions.every(({ environments }) => environments.every(({ deployments }) => deployments.length === 0));

/** The regions in which the tenant has something, each with its totals or why there are none. */
function useRegions(tenantId: number, structure: Structure | undefined) {
  const { data: installation } = useQuery(installationQuery);
  const used = new Set(
    structure?.divisions.flatMap(({ environments }) =>
      environments.flatMap(({ deployments }) => deployments.map(({ cloud, region }) => `${cloud}/${region}`)),
    ),
  );
  const regions = installation?.regions.filter(({ cloud, region }) => used.has(`${cloud}/${region}`)) ?? [];
  const summaries = useQueries({ queries: regions.map((region) => regionSummaryQuery(tenantId, region)) });
  return regions.map((region, index) => {
    const one = summaries[index];
    return { region, summary: one?.data, isAway: one?.isError ?? false, retry: () => void one?.refetch() };
  });
}

function Regions({ regions }: { regions: ReturnType<typeof useRegions> }) {
  return (
    <Card title="Regions" flush>
      {regions.length === 0 && <EmptyState title="No region is in use" />}
      <ul className={styles.list}>
        {regions.map(({ region, summary, isAway }) => (
          <li key={`${region.cloud}/${region.region}`}>
            <span>
              {region.name} <span className={layout.muted}>{region.cloud}</span>
            </span>
            <RegionHealth region={region} isAway={isAway} unhealthy={summary?.unhealthy_deployments} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function RegionHealth({
  region,
  isAway,
  unhealthy,
}: {
  region: ContextRegion;
  isAway: boolean;
  unhealthy: number | undefined;
}) {
  if (isAway)
    return (
      <Status kind="bad">
        Cannot be reached; last heard of <Time at={region.reported_at} />
      </Status>
    );
  if (unhealthy === undefined) return <Skeleton width="6rem" />;
  if (unhealthy > 0) return <Status kind="warn">{plural(unhealthy, 'deployment')} not healthy</Status>;
  return <Status kind="ok">All deployments are healthy</Status>;
}

/** Deployments that have failed. */
const Attention = memo(function Attention({ tenantId }: { tenantId: number }) {
  const { data, error, refetch } = useInfiniteQuery(failedQuery(tenantId));
  const failed = data?.pages[0]?.items;
  return (
    <Card title="Needs attention" flush>
      {!failed && <ErrorState error={error} onRetry={() => void refetch()} />}
      {failed?.length === 0 && (
        <p className={styles.calm}>
          <StatusIcon kind="ok" /> Nothing. No deployment has failed.
        </p>
      )}
      <ul className={styles.list}>
        {failed?.slice(0, 8).map(({ id, name, status, status_reason: reason, updated_at: at, ...one }) => (
          <li key={id}>
            <Link
              to="/t/$tenantId/d/$divisionId/$environmentId/$deploymentId"
              params={{
                tenantId,
                divisionId: one.division.id,
                environmentId: one.environment.id,
                deploymentId: id,
              }}
            >
              {name}
            </Link>
            <span className={layout.muted}>
              <DeploymentStatusMark status={status} /> <Time at={at} />
            </span>
            {reason && <p className={styles.reason}>{reason}</p>}
          </li>
        ))}
      </ul>
    </Card>
  );
});

/** deployments that are listed below an environment; more are a link */
const mostListed = 8;

const Tree = memo(function Tree({ tenantId, structure }: { tenantId: number; structure: Structure }) {
  if (structure.divisions.length === 0)
    return <EmptyState title="Nothing to see">There are no divisions, or none that you may see.</EmptyState>;
  return (
    <ul className={styles.tree}>
      {structure.divisions.map((division) => (
        <li key={division.id}>
          <div className={styles.node}>
            <Link to="/t/$tenantId/deployments" params={{ tenantId }} search={{ division: division.id }}>
              <span className={styles.division}>{division.name}</span>
            </Link>
          </div>
          <ul>
            {division.environments.map((environment) => (
              <li key={environment.id}>
                <div className={styles.node}>
                  <Link
                    to="/t/$tenantId/deployments"
                    params={{ tenantId }}
                    search={{ division: division.id, environment: environment.id }}
                  >
                    {environment.name}
                  </Link>
                  <span className={layout.muted}>{plural(environment.deployments.length, 'deployment')}</span>
                </div>
                <ul>
                  {environment.deployments.slice(0, mostListed).map(({ id, name, region, tier }) => (
                    <li key={id} className={styles.node}>
                      <Link
                        to="/t/$tenantId/d/$divisionId/$environmentId/$deploymentId"
                        params={{
                          tenantId,
                          divisionId: division.id,
                          environmentId: environment.id,
                          deploymentId: id,
                        }}
                      >
                        {name}
                      </Link>
                      <span className={layout.muted}>
                        {region} · {tier}
                      </span>
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
});

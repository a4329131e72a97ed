import { useCallback, useEffect, useRef, useState } from 'react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useIsLive } from '@sluice/console-core/api/feeds.ts';
import {
  deploymentsQuery,
  installationQuery,
  structureQuery,
  type DeploymentFilter,
} from '@sluice/console-core/api/queries.ts';
import { useBreadcrumb } from '@sluice/console-core/parts/breadcrumb.ts';
import { plural } from '@sluice/ui/lib/quantity.ts';
import { useShortcut } from '@sluice/console-core/lib/shortcuts.ts';
import { allDeploymentStatuses, shownDeploymentStatus } from '@sluice/console-core/lib/status.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Button } from '@sluice/ui/button.tsx';
import { Select } from '@sluice/ui/choice.tsx';
import { EmptyState, LiveMark } from '@sluice/ui/feedback.tsx';
import { SearchField } from '@sluice/ui/field.tsx';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { Page } from '@sluice/ui/page.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import { columns, pageOf } from './columns.tsx';
import styles from './deployments.module.css';

const route = getRouteApi('/t/$tenantId/deployments');
const sortable = ['created_at', 'name'] as const;

/** All deployments of the tenant that the person may see. Its filters are in the address. */
export function DeploymentsPage() {
  const { tenantId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useBreadcrumb(['Deployments'], 'deployments');
  const list = useInfiniteQuery(deploymentsQuery(tenantId, search));
  const isLive = useIsLive(tenantId);
  const rows = list.data?.pages.flatMap(({ items }) => items);
  const total = list.data?.pages[0]?.total_results;
  const change = (changes: DeploymentFilter) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  const { sort, ...filters } = search;
  const isFiltered = Object.keys(filters).length > 0;
  const order = sort ?? '-created_at';
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [isFetchingNextPage, fetchNextPage]);
  return (
    <Page
      title="Deployments"
      mark={<LiveMark isLive={isLive} />}
      about={
        total === undefined
          ? undefined
          : `${plural(total, 'deployment')}${isFiltered ? ' fit the filters' : ''}`
      }
      actions={
        <>
          <AsCode
            command={[
              ...['deployments', 'list'],
              ...(search.q ? ['--search', search.q] : []),
              ...(search.region ? ['--region', search.region] : []),
              ...(search.status ? ['--status', search.status] : []),
              ...(search.sort ? ['--sort', search.sort] : []),
            ]}
            request={{ method: 'GET', path: `/tenants/${tenantId}/deployments`, query: search }}
          />
          <CreateLink tenantId={tenantId} search={search} />
        </>
      }
    >
      <DataTable
        name="deployments"
        label="Deployments"
        rows={rows}
        columns={columns}
        rowKey={({ id }) => id}
        onOpen={(row) =>
          void navigate({
            to: '/t/$tenantId/d/$divisionId/$environmentId/$deploymentId',
            params: pageOf(tenantId, row),
            search: {},
          })
        }
        sorting={{ column: order.replace('-', ''), descending: order.startsWith('-') }}
        onSort={({ column, descending }) => {
          const by = sortable.find((one) => one === column);
          if (by) change({ sort: descending ? `-${by}` : by });
        }}
        error={list.error ?? undefined}
        onRetry={() => void list.refetch()}
        {...(total !== undefined && { total })}
        onMore={hasNextPage ? more : undefined}
        toolbar={<Filters tenantId={tenantId} search={search} onChange={change} />}
        empty={
          isFiltered ? (
            <EmptyState
              title="No deployment fits"
              actions={
                <Button onPress={() => void navigate({ search: {}, replace: true })}>
                  Clear the filters
                </Button>
              }
            >
              There are others without these filters.
            </EmptyState>
          ) : (
            <EmptyState
              title="No deployments yet"
              actions={<CreateLink tenantId={tenantId} search={search} />}
            >
              A deployment is a broker with its streams. Those of this organization will be listed here.
            </EmptyState>
          )
        }
      />
    </Page>
  );
}

interface PlaceSearch {
  division?: number | undefined;
  environment?: number | undefined;
}

/** Leads to the page on which a deployment is made, in the place that the list is filtered by. */
function CreateLink({ tenantId, search }: { tenantId: number; search: PlaceSearch }) {
  const { division, environment } = search;
  return (
    <Link
      to="/t/$tenantId/deployments/new"
      params={{ tenantId }}
      search={{
        ...(division !== undefined && { division }),
        ...(environment !== undefined && { environment }),
      }}
      look="primary"
    >
      Create a deployment
    </Link>
  );
}

interface FiltersProps {
  tenantId: number;
  search: DeploymentFilter;
  onChange: (changes: DeploymentFilter) => void;
}

function Filters({ tenantId, search, onChange }: FiltersProps) {
  const { data: structure } = useQuery(structureQuery(tenantId));
  const { data: installation } = useQuery(installationQuery);
  const [q, setQ] = useState(search.q ?? '');
  const field = useRef<HTMLInputElement>(null);
  useShortcut(
    'search',
    useCallback(() => field.current?.focus(), []),
  );
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => {
    if (q === (search.q ?? '')) return;
    const timer = setTimeout(() => latest.current({ q: q === '' ? undefined : q.slice(0, 40) }), 250);
    return () => clearTimeout(timer);
  }, [q, search.q]);
  const all = (title: string) => ({ key: '', label: title });
  const divisions = structure?.divisions.map(({ id, name }) => ({ key: String(id), label: name })) ?? [];
  const regions = [...new Set(installation?.regions.map(({ region }) => region))];
  return (
    <div className={styles.filters}>
      <div className={styles.search}>
        <SearchField label="Search by name" value={q} onChange={setQ} inputRef={field} />
      </div>
      <div className={styles.filter}>
        <Select
          hideLabel
          label="Division"
          options={[all('All divisions'), ...divisions]}
          value={search.division === undefined ? '' : String(search.division)}
          onChange={(key) => onChange({ division: key ? Number(key) : undefined, environment: undefined })}
        />
      </div>
      <div className={styles.filter}>
        <Select
          hideLabel
          label="Region"
          options={[all('All regions'), ...regions.map((region) => ({ key: region, label: region }))]}
          value={search.region ?? ''}
          onChange={(key) => onChange({ region: key || undefined })}
        />
      </div>
      <div className={styles.filter}>
        <Select
          hideLabel
          label="Status"
          options={[
            all('Any status'),
            ...allDeploymentStatuses.map((key) => ({ key, label: shownDeploymentStatus(key).word })),
          ]}
          value={search.status ?? ''}
          onChange={(key) => onChange({ status: allDeploymentStatuses.find((one) => one === key) })}
        />
      </div>
    </div>
  );
}

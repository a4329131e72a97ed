import type { TenantDeployment } from '@sluice/client';
import { useTenantId } from '@sluice/console-core/parts/tenant.ts';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { Labels } from '@sluice/ui/status.tsx';
import { DeploymentStatusMark } from '@sluice/console-core/parts/deployment-status.tsx';
import { timeColumn } from '@sluice/ui/columns.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import layout from '@sluice/ui/layout.module.css';

/** The path parameters of a deployment's page. */
export const pageOf = (tenantId: number, { id, division, environment }: TenantDeployment) => ({
  tenantId,
  divisionId: division.id,
  environmentId: environment.id,
  deploymentId: id,
});

function NameLink({ row }: { row: TenantDeployment }) {
  return (
    <Link
      to="/t/$tenantId/d/$divisionId/$environmentId/$deploymentId"
      params={pageOf(useTenantId(), row)}
      className={layout.name}
    >
      {row.name}
    </Link>
  );
}

/** What can be shown of each deployment. The list is sorted by the API. */
export const columns: readonly Column<TenantDeployment>[] = [
  {
    id: 'name',
    title: 'Name',
    isFixed: true,
    sortBy: ({ name }) => name,
    cell: (row) => <NameLink row={row} />,
  },
  {
    id: 'status',
    title: 'Status',
    cell: ({ status, status_reason: reason }) => (
      <span title={reason ?? undefined}>
        <DeploymentStatusMark status={status} />
      </span>
    ),
  },
  {
    id: 'place',
    title: 'Place',
    cell: ({ division, environment }) => (
      <span className={layout.muted}>
        {division.name} / {environment.name}
      </span>
    ),
  },
  { id: 'region', title: 'Region', wideOnly: true, cell: ({ cloud, region }) => `${cloud} · ${region}` },
  { id: 'tier', title: 'Tier', wideOnly: true, cell: ({ tier }) => tier },
  { id: 'variant', title: 'Kind', wideOnly: true, cell: ({ variant }) => variant },
  { id: 'nodes', title: 'Nodes', align: 'end', wideOnly: true, cell: ({ nodes_count: count }) => count },
  { id: 'labels', title: 'Labels', wideOnly: true, cell: ({ labels }) => <Labels labels={labels} /> },
  { id: 'domain', title: 'Domain', isHiddenAtFirst: true, cell: ({ domain }) => domain ?? '–' },
  {
    id: 'protected',
    title: 'Protected',
    isHiddenAtFirst: true,
    cell: (row) => (row.protected ? 'yes' : 'no'),
  },
  timeColumn('created_at', 'Created', ({ created_at }) => created_at, { wideOnly: true }),
];

import { useMutation } from '@tanstack/react-query';
import {
  approveJoinRequest,
  rejectJoinRequest,
  type JoinRequest,
  type JoinRequestStatus,
} from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { usePages } from '@sluice/console-core/api/pages.ts';
import { plural } from '@sluice/ui/lib/quantity.ts';
import type { StatusKind } from '@sluice/ui/lib/status.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { useTenantId } from '@sluice/console-core/parts/tenant.ts';
import { Time } from '@sluice/ui/data.tsx';
import { EmptyState } from '@sluice/ui/feedback.tsx';
import { Status } from '@sluice/ui/status.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import { actionsColumn, timeColumn } from '@sluice/ui/columns.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import { toast, toastError } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { joinRequestPagesQuery, refreshKinds } from './queries.ts';
import styles from './people.module.css';

const kinds: Record<JoinRequestStatus, StatusKind> = { pending: 'busy', approved: 'ok', rejected: 'bad' };

/** Who asks to become a member, by their address of the organization's domain. */
export function JoinRequestsTab() {
  const tenantId = useTenantId();
  const { table, total } = usePages(joinRequestPagesQuery(tenantId));
  return (
    <DataTable
      name="join-requests"
      label="Join requests"
      {...table}
      columns={columns}
      rowKey={({ id }) => id}
      toolbar={
        <>
          <span className={layout.muted}>{total !== undefined && plural(total, 'request')}</span>
          <AsCode
            command={['join-requests', 'list']}
            request={{ method: 'GET', path: `/tenants/${tenantId}/join_requests` }}
          />
        </>
      }
      empty={
        <EmptyState title="Nobody asks to join">
          People with an address of the domain of the organization can ask, when its settings let them.
        </EmptyState>
      }
    />
  );
}

function Decide({ request }: { request: JoinRequest }) {
  const tenantId = useTenantId();
  const path = { tenant_id: tenantId, join_request_id: request.id };
  const decide = useMutation({
    mutationFn: async (isApproved: boolean) => {
      await (isApproved ? approveJoinRequest : rejectJoinRequest)({ client, path });
      return isApproved;
    },
    onSuccess: async (isApproved) => {
      toast(isApproved ? `${request.user.name} is a member now` : `${request.user.name} is refused`);
      await refreshKinds(tenantId, 'join_request', 'member', 'limits');
    },
    onError: toastError,
  });
  return (
    <>
      <ActionButton
        action="approveJoinRequest"
        size="small"
        kind="primary"
        isPending={decide.isPending}
        onPress={() => decide.mutate(true)}
      />
      <ActionButton
        action="rejectJoinRequest"
        size="small"
        isDisabled={decide.isPending}
        onPress={() => decide.mutate(false)}
      />
      <AsCode
        command={['join-requests', 'approve', request.email]}
        request={{ method: 'PUT', path: `/tenants/${tenantId}/join_requests/${request.id}/approve` }}
      />
    </>
  );
}

const columns: Column<JoinRequest>[] = [
  {
    id: 'name',
    title: 'Name',
    isFixed: true,
    sortBy: ({ user }) => user.name,
    cell: ({ user }) => <span className={styles.person}>{user.name}</span>,
  },
  {
    id: 'email',
    title: 'Address',
    wideOnly: true,
    sortBy: ({ email }) => email,
    cell: ({ email }) => <span title={email}>{email}</span>,
  },
  {
    id: 'status',
    title: 'Status',
    sortBy: ({ status }) => status,
    cell: ({ status }) => <Status kind={kinds[status]}>{status}</Status>,
  },
  timeColumn('created', 'Asked', ({ created_at }) => created_at, { wideOnly: true }),
  { id: 'decided', title: 'Decided', wideOnly: true, cell: ({ decided_at: at }) => <Time at={at} /> },
  actionsColumn((request) => request.status === 'pending' && <Decide request={request} />),
];

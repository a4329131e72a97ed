import { useMemo, useState } from 'react';
import { deleteInvitation, type Invitation, type InvitationStatus } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { usePages } from '@sluice/console-core/api/pages.ts';
import { plural } from '@sluice/ui/lib/quantity.ts';
import type { StatusKind } from '@sluice/ui/lib/status.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { useTenantId } from '@sluice/console-core/parts/tenant.ts';
import { ConfirmDialog } from '@sluice/ui/dialog.tsx';
import { EmptyState } from '@sluice/ui/feedback.tsx';
import { Status, Tag } from '@sluice/ui/status.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import { actionsColumn, timeColumn } from '@sluice/ui/columns.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import { toast } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { InviteButton } from './invite.tsx';
import { invitationPagesQuery, refreshKinds } from './queries.ts';

const kinds: Record<InvitationStatus, StatusKind> = {
  pending: 'busy',
  accepted: 'ok',
  rejected: 'bad',
  expired: 'idle',
  withdrawn: 'idle',
};

/** Who is invited, and what has come of it. */
export function InvitationsTab() {
  const tenantId = useTenantId();
  const { table, total } = usePages(invitationPagesQuery(tenantId));
  const [withdrawn, setWithdrawn] = useState<Invitation>();
  const columns = useMemo(() => columnsOf(setWithdrawn), []);
  return (
    <>
      <DataTable
        name="invitations"
        label="Invitations"
        {...table}
        columns={columns}
        rowKey={({ id }) => id}
        toolbar={
          <>
            <span className={layout.muted}>{total !== undefined && plural(total, 'invitation')}</span>
            <AsCode
              command={['invitations', 'list']}
              request={{ method: 'GET', path: `/tenants/${tenantId}/invitations` }}
            />
          </>
        }
        empty={
          <EmptyState title="Nobody is invited" actions={<InviteButton />}>
            A person who is invited gets a mail and becomes a member when they accept.
          </EmptyState>
        }
      />
      {withdrawn && (
        <ConfirmDialog
          title={`Withdraw the invitation of ${withdrawn.email}`}
          isOpen
          onOpenChange={(isOpen) => !isOpen && setWithdrawn(undefined)}
          action="Withdraw"
          onConfirm={async () => {
            await deleteInvitation({
              client,
              path: { tenant_id: tenantId, invitation_id: withdrawn.id },
            });
            toast('The invitation is withdrawn');
            await refreshKinds(tenantId, 'invitation', 'limits');
          }}
        >
          <p>It cannot be accepted any more. The person can be invited again.</p>
          <AsCode
            command={['invitations', 'withdraw', withdrawn.email]}
            request={{ method: 'DELETE', path: `/tenants/${tenantId}/invitations/${withdrawn.id}` }}
          />
        </ConfirmDialog>
      )}
    </>
  );
}

const columnsOf = (onWithdraw: (invitation: Invitation) => void): Column<Invitation>[] => [
  {
    id: 'email',
    title: 'Address',
    isFixed: true,
    sortBy: ({ email }) => email,
    cell: ({ email }) => <span title={email}>{email}</span>,
  },
  {
    id: 'status',
    title: 'Status',
    sortBy: ({ status }) => status,
    cell: ({ status, mail_failure: failure }) =>
      failure === null ? (
        <Status kind={kinds[status]}>{status}</Status>
      ) : (
        <span title={failure}>
          <Status kind="warn">
            {status}, the mail was not delivered: {failure}
          </Status>
        </span>
      ),
  },
  {
    id: 'roles',
    title: 'Roles',
    wideOnly: true,
    cell: ({ roles }) => (
      <span className={layout.inlineRow}>
        {roles.length === 0 && <span className={layout.muted}>none</span>}
        {roles.map((role) => (
          <Tag key={role}>{role}</Tag>
        ))}
      </span>
    ),
  },
  { id: 'by', title: 'Invited by', wideOnly: true, cell: ({ invited_by: by }) => by.name },
  timeColumn('created', 'Sent', ({ created_at }) => created_at, { wideOnly: true }),
  timeColumn('expires', 'Ends', ({ expires_at }) => expires_at),
  actionsColumn(
    (invitation) =>
      invitation.status === 'pending' && (
        <ActionButton action="withdrawInvitation" size="small" onPress={() => onWithdraw(invitation)} />
      ),
  ),
];

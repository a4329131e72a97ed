import { useMemo, useState } from 'react';
import { deleteCloudAccount, type CloudAccount, type CloudAccountStatus } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { usePages } from '@sluice/console-core/api/pages.ts';
import { plural } from '@sluice/ui/lib/quantity.ts';
import type { StatusKind } from '@sluice/ui/lib/status.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { useTenantId } from '@sluice/console-core/parts/tenant.ts';
import { Time } from '@sluice/ui/data.tsx';
import { ConfirmDialog } from '@sluice/ui/dialog.tsx';
import { EmptyState } from '@sluice/ui/feedback.tsx';
import { PlusIcon } from '@sluice/ui/icons.tsx';
import { Status } from '@sluice/ui/status.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import { actionsColumn } from '@sluice/ui/columns.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import { toast } from '@sluice/ui/toast.tsx';
import layout from '@sluice/ui/layout.module.css';
import { refreshKinds } from '../people/queries.ts';
import { AccountDialog } from './account-dialog.tsx';
import { cloudAccountPagesQuery } from './queries.ts';

const kinds: Record<CloudAccountStatus, StatusKind> = {
  active: 'ok',
  inactive: 'idle',
  locked: 'warn',
  deleted: 'idle',
};

/** The organization's own accounts at clouds, for deployments in them. */
export function AccountsTab() {
  const tenantId = useTenantId();
  const { table, total } = usePages(cloudAccountPagesQuery(tenantId));
  const [edited, setEdited] = useState<CloudAccount | 'new'>();
  const [removed, setRemoved] = useState<CloudAccount>();
  const columns = useMemo(() => columnsOf(setEdited, setRemoved), []);
  const add = (
    <ActionButton
      action="createCloudAccount"
      kind="primary"
      icon={<PlusIcon />}
      onPress={() => setEdited('new')}
    />
  );
  return (
    <>
      <DataTable
        name="cloud-accounts"
        label="Cloud accounts"
        {...table}
        columns={columns}
        rowKey={({ id }) => id}
        toolbar={
          <>
            {add}
            <span className={layout.muted}>{total !== undefined && plural(total, 'account')}</span>
            <AsCode
              command={['cloud-accounts', 'list']}
              request={{ method: 'GET', path: `/tenants/${tenantId}/cloud_accounts` }}
            />
          </>
        }
        empty={
          <EmptyState title="No cloud accounts">
            With an account of yours, deployments can be in your own network.
          </EmptyState>
        }
      />
      {edited && (
        <AccountDialog
          tenantId={tenantId}
          account={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      {removed && (
        <ConfirmDialog
          title={`Delete ${removed.name}`}
          isOpen
          onOpenChange={(isOpen) => !isOpen && setRemoved(undefined)}
          action="Delete"
          name={removed.name}
          onConfirm={async () => {
            await deleteCloudAccount({
              client,
              path: { tenant_id: tenantId, cloud_account_id: removed.id },
            });
            toast(`${removed.name} is deleted`);
            await refreshKinds(tenantId, 'cloud_account', 'limits');
          }}
        >
          <p>Deployments in it go on, but none can be made in it anew.</p>
          <AsCode
            command={['cloud-accounts', 'delete', removed.name]}
            request={{ method: 'DELETE', path: `/tenants/${tenantId}/cloud_accounts/${removed.id}` }}
          />
        </ConfirmDialog>
      )}
    </>
  );
}

const columnsOf = (
  onEdit: (account: CloudAccount) => void,
  onRemove: (account: CloudAccount) => void,
): Column<CloudAccount>[] => [
  {
    id: 'name',
    title: 'Name',
    isFixed: true,
    sortBy: ({ name }) => name,
    cell: ({ name }) => <span className={layout.name}>{name}</span>,
  },
  { id: 'cloud', title: 'Cloud', wideOnly: true, sortBy: ({ cloud }) => cloud, cell: ({ cloud }) => cloud },
  {
    id: 'account',
    title: 'Account',
    wideOnly: true,
    cell: ({ account_id: account }) => <code>{account}</code>,
  },
  { id: 'region', title: 'Region', wideOnly: true, cell: ({ region }) => region ?? '–' },
  {
    id: 'status',
    title: 'Status',
    sortBy: ({ status }) => status,
    cell: ({ status }) => <Status kind={kinds[status]}>{status}</Status>,
  },
  {
    id: 'validated',
    title: 'Access found to work',
    wideOnly: true,
    cell: ({ validated_at: at }) =>
      at === null ? <span className={layout.muted}>never</span> : <Time at={at} />,
  },
  actionsColumn((account) => (
    <>
      <ActionButton action="changeCloudAccount" size="small" onPress={() => onEdit(account)} />
      <ActionButton action="deleteCloudAccount" size="small" onPress={() => onRemove(account)} />
    </>
  )),
];

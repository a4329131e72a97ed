import { useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { deleteRole, revokeRole, type Member } from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { usePages } from '@sluice/console-core/api/pages.ts';
import { accountQuery } from '@sluice/console-core/api/queries.ts';
import { grantsOf } from '@sluice/console-core/lib/permission-grid.ts';
import { plural } from '@sluice/ui/lib/quantity.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { PermissionGrid } from '@sluice/console-core/parts/permission-grid.tsx';
import { Card } from '@sluice/ui/data.tsx';
import { ConfirmDialog } from '@sluice/ui/dialog.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { Page } from '@sluice/ui/page.tsx';
import { Tag } from '@sluice/ui/status.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import { actionsColumn } from '@sluice/ui/columns.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import { toast, toastError } from '@sluice/ui/toast.tsx';
import { catalogueQuery, refreshKinds } from '../people/queries.ts';
import { GiveRole } from './give-role.tsx';
import { roleMemberPagesQuery, roleQuery } from './queries.ts';
import { useRoleCrumbs } from './role-crumbs.tsx';
import styles from './roles.module.css';

const route = getRouteApi('/t/$tenantId/roles/$roleId');

/** What a role grants, and who has it. */
export function RolePage() {
  const { tenantId, roleId } = route.useParams();
  const navigate = useNavigate();
  const { data: role, error, refetch } = useQuery(roleQuery(tenantId, roleId));
  const { data: catalogue } = useQuery(catalogueQuery(tenantId));
  const [isAsked, setAsked] = useState(false);
  const name = role?.name ?? ' ';
  useRoleCrumbs(tenantId, name);
  if (error && !role)
    return (
      <Page title="Role">
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  const isCustom = role?.kind === 'custom';
  return (
    <Page
      title={name}
      mark={role && <Tag>{role.kind}</Tag>}
      about={role && !isCustom ? 'It comes with every organization and cannot be changed.' : undefined}
      actions={
        <>
          <AsCode
            command={['roles', 'show', name]}
            request={{ method: 'GET', path: `/tenants/${tenantId}/roles/${roleId}` }}
          />
          <ActionButton
            action="createRole"
            onPress={() =>
              void navigate({ to: '/t/$tenantId/roles/new', params: { tenantId }, search: { like: roleId } })
            }
          >
            Copy
          </ActionButton>
          {isCustom && (
            <>
              <ActionButton action="deleteRole" onPress={() => setAsked(true)} />
              <ActionButton
                action="changeRole"
                kind="primary"
                onPress={() =>
                  void navigate({ to: '/t/$tenantId/roles/$roleId/edit', params: { tenantId, roleId } })
                }
              />
            </>
          )}
        </>
      }
    >
      <Card title="What it grants" flush>
        {role && catalogue ? (
          <PermissionGrid catalogue={catalogue} grants={grantsOf(role.permissions)} />
        ) : (
          <SkeletonLines count={10} />
        )}
      </Card>
      <Holders tenantId={tenantId} roleId={roleId} name={name} />
      {role && (
        <ConfirmDialog
          title={`Delete the role ${name}`}
          isOpen={isAsked}
          onOpenChange={setAsked}
          action="Delete"
          name={name}
          onConfirm={async () => {
            await deleteRole({ client, path: { tenant_id: tenantId, role_id: roleId } });
            toast(`The role ${name} is deleted`);
            await navigate({ to: '/t/$tenantId/roles', params: { tenantId } });
            await refreshKinds(tenantId, 'role', 'member', 'invitation', 'limits');
          }}
        >
          <p>Members and pending invitations lose it. A role that an API key has cannot be deleted.</p>
          <AsCode
            command={['roles', 'delete', name]}
            request={{ method: 'DELETE', path: `/tenants/${tenantId}/roles/${roleId}` }}
          />
        </ConfirmDialog>
      )}
    </Page>
  );
}

function Holders({ tenantId, roleId, name }: { tenantId: number; roleId: number; name: string }) {
  const { table, total } = usePages(roleMemberPagesQuery(tenantId, roleId));
  const { data: account } = useQuery(accountQuery);
  const [isGiving, setGiving] = useState(false);
  const revoke = useMutation({
    mutationFn: (member: Member) =>
      revokeRole({
        client,
        path: { tenant_id: tenantId, role_id: roleId },
        body: { members: [member.id] },
      }),
    onSuccess: async (_answer, member) => {
      toast(`${member.name} does not have ${name} any more`);
      await refreshKinds(tenantId, 'member');
    },
    onError: toastError,
  });
  const give = <ActionButton action="assignRole" size="small" onPress={() => setGiving(true)} />;
  const columns: Column<Member>[] = [
    {
      id: 'name',
      title: 'Name',
      isFixed: true,
      sortBy: (member) => member.name,
      cell: (member) => (
        <Link to="/t/$tenantId/people/$memberId" params={{ tenantId, memberId: member.id }}>
          {member.name}
        </Link>
      ),
    },
    { id: 'email', title: 'Address', wideOnly: true, cell: ({ email }) => email },
    actionsColumn(
      (member) =>
        member.id !== account?.id && (
          <>
            <AsCode
              command={['roles', 'unassign', name, member.email]}
              request={{
                method: 'PUT',
                path: `/tenants/${tenantId}/roles/${roleId}/members/revoke`,
                body: { members: [member.id] },
              }}
            />
            <ActionButton
              action="revokeRole"
              size="small"
              isPending={revoke.isPending && revoke.variables.id === member.id}
              onPress={() => revoke.mutate(member)}
            />
          </>
        ),
    ),
  ];
  return (
    <Card title="Who has it" flush actions={give}>
      <DataTable
        name="role-members"
        label={`Members with the role ${name}`}
        {...table}
        columns={columns}
        rowKey={({ id }) => id}
        isBare
        toolbar={<p className={styles.note}>{total !== undefined && plural(total, 'member')}</p>}
        empty={<EmptyState title="Nobody has it" actions={give} />}
      />
      {isGiving && <GiveRole {...{ tenantId, roleId, name }} onClose={() => setGiving(false)} />}
    </Card>
  );
}

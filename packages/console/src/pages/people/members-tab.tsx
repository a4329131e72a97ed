import { useMemo, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Member } from '@sluice/client';
import { usePages } from '@sluice/console-core/api/pages.ts';
import { accountQuery } from '@sluice/console-core/api/queries.ts';
import { plural } from '@sluice/ui/lib/quantity.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { useTenantId } from '@sluice/console-core/parts/tenant.ts';
import { EmptyState } from '@sluice/ui/feedback.tsx';
import { SearchField } from '@sluice/ui/field.tsx';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { Status, Tag } from '@sluice/ui/status.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import { actionsColumn, timeColumn } from '@sluice/ui/columns.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import layout from '@sluice/ui/layout.module.css';
import { InviteButton } from './invite.tsx';
import { MemberDialog } from './member-dialog.tsx';
import { memberPagesQuery } from './queries.ts';
import { RemoveMember } from './remove-member.tsx';
import styles from './people.module.css';

/** Everyone who is a member, with their roles. */
export function MembersTab() {
  const tenantId = useTenantId();
  const navigate = useNavigate();
  const { table, total } = usePages(memberPagesQuery(tenantId));
  const { data: account } = useQuery(accountQuery);
  const [text, setText] = useState('');
  const [edited, setEdited] = useState<Member>();
  const [removed, setRemoved] = useState<Member>();
  const own = account?.id;
  const columns = useMemo(
    () => columnsOf({ tenantId, own, onEdit: setEdited, onRemove: setRemoved }),
    [tenantId, own],
  );
  const fits = ({ name, email, roles }: Member) =>
    [name, email, ...roles].some((one) => one.toLowerCase().includes(text.trim().toLowerCase()));
  return (
    <>
      <DataTable
        name="members"
        label="Members"
        {...table}
        rows={table.rows?.filter(fits)}
        columns={columns}
        rowKey={({ id }) => id}
        onOpen={({ id }) =>
          void navigate({ to: '/t/$tenantId/people/$memberId', params: { tenantId, memberId: id } })
        }
        toolbar={
          <>
            <div className={styles.search}>
              <SearchField label="Search by name, address or role" value={text} onChange={setText} />
            </div>
            <span className={layout.muted}>{total !== undefined && plural(total, 'member')}</span>
            <AsCode
              command={['members', 'list']}
              request={{ method: 'GET', path: `/tenants/${tenantId}/members` }}
            />
          </>
        }
        empty={
          text === '' ? (
            <EmptyState title="No members" actions={<InviteButton />}>
              Invite the people who shall work here.
            </EmptyState>
          ) : (
            <EmptyState title="Nobody fits">There are others without this search.</EmptyState>
          )
        }
      />
      {edited && <MemberDialog tenantId={tenantId} member={edited} onClose={() => setEdited(undefined)} />}
      {removed && <RemoveMember tenantId={tenantId} member={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
}

interface ColumnOptions {
  tenantId: number;
  /** the id of the person who looks */
  own: number | undefined;
  onEdit: (member: Member) => void;
  onRemove: (member: Member) => void;
}

const columnsOf = ({ tenantId, own, onEdit, onRemove }: ColumnOptions): Column<Member>[] => [
  {
    id: 'name',
    title: 'Name',
    isFixed: true,
    sortBy: ({ name }) => name,
    cell: ({ id, name }) => (
      <span className={styles.person}>
        <Link to="/t/$tenantId/people/$memberId" params={{ tenantId, memberId: id }}>
          {name}
        </Link>
        {id === own && <Tag>you</Tag>}
      </span>
    ),
  },
  {
    id: 'email',
    title: 'Address',
    wideOnly: true,
    sortBy: ({ email }) => email,
    cell: ({ email }) => <span title={email}>{email}</span>,
  },
  {
    id: 'roles',
    title: 'Roles',
    sortBy: ({ roles }) => roles.join(),
    cell: ({ roles }) => (
      <span className={layout.inlineRow}>
        {roles.length === 0 && <span className={layout.muted}>none</span>}
        {roles.map((role) => (
          <Tag key={role}>{role}</Tag>
        ))}
      </span>
    ),
  },
  {
    id: 'active',
    title: 'Access',
    sortBy: ({ active }) => (active ? 0 : 1),
    cell: ({ active }) => <Status kind={active ? 'ok' : 'idle'}>{active ? 'active' : 'refused'}</Status>,
  },
  timeColumn('since', 'Since', ({ created_at }) => created_at, { wideOnly: true }),
  actionsColumn(
    (member) =>
      member.id === own ? (
        <span className={layout.muted}>others can change you</span>
      ) : (
        <>
          <ActionButton action="changeMember" size="small" onPress={() => onEdit(member)} />
          <ActionButton action="removeMember" size="small" onPress={() => onRemove(member)} />
        </>
      ),
    { wideOnly: true },
  ),
];

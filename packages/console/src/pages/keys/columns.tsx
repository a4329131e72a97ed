import type { ApiKey, PermissionsDetail } from '@sluice/client';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { Time } from '@sluice/ui/data.tsx';
import { Status, Tag } from '@sluice/ui/status.tsx';
import { actionsColumn, timeColumn } from '@sluice/ui/columns.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import layout from '@sluice/ui/layout.module.css';
import { lifeOf } from './key-form.ts';
import type { OpenedDialog } from './opened-dialog.ts';
import { keyActions } from './places.ts';

interface KeyColumns {
  names: { people: ReadonlyMap<number, string>; divisions: ReadonlyMap<number, string> };
  context: PermissionsDetail | undefined;
  onOpen: (dialog: OpenedDialog) => void;
}

export const keyColumns = ({ names, context, onOpen }: KeyColumns): Column<ApiKey>[] => [
  {
    id: 'name',
    title: 'Name',
    isFixed: true,
    sortBy: ({ name }) => name,
    cell: ({ name }) => <span className={layout.name}>{name}</span>,
  },
  {
    id: 'role',
    title: 'Role',
    sortBy: ({ role_name: role }) => role,
    cell: ({ role_name: role }) => <Tag>{role}</Tag>,
  },
  {
    id: 'division',
    title: 'Sees',
    wideOnly: true,
    cell: ({ division_id: id }) =>
      id === null ? 'the organization' : (names.divisions.get(id) ?? 'a division'),
  },
  {
    id: 'addresses',
    title: 'Addresses',
    wideOnly: true,
    cell: ({ validate_ip: isLimited, allowed_ips: blocks }) =>
      isLimited ? (
        <span title={blocks.join(', ')}>
          <code>{blocks.slice(0, 2).join(', ')}</code>
          {blocks.length > 2 && ` and ${blocks.length - 2} more`}
        </span>
      ) : (
        <span className={layout.muted}>any</span>
      ),
  },
  {
    id: 'used',
    title: 'Last used',
    sortBy: ({ last_used_at: at }) => at ?? '',
    cell: ({ last_used_at: at }) =>
      at === null ? <span className={layout.muted}>never</span> : <Time at={at} />,
  },
  {
    id: 'expiry',
    title: 'Ends',
    sortBy: ({ expiry_at: at }) => at,
    cell: ({ expiry_at: at }) => {
      const life = lifeOf(at, new Date());
      if (life === 'works') return <Time at={at} />;
      return (
        <Status kind={life === 'over' ? 'idle' : 'warn'}>
          {life === 'over' ? 'ended ' : 'ends '}
          <Time at={at} />
        </Status>
      );
    },
  },
  {
    id: 'user',
    title: 'Acts as',
    wideOnly: true,
    sortBy: ({ user_id: id }) => names.people.get(id) ?? '',
    cell: ({ user_id: id }) => names.people.get(id) ?? <span className={layout.muted}>a member</span>,
  },
  timeColumn('created', 'Created', ({ created_at }) => created_at, { wideOnly: true, isHiddenAtFirst: true }),
  actionsColumn((apiKey) => {
    const actions = keyActions(context, apiKey.division_id);
    const on = { division: apiKey.division_id ?? undefined };
    return (['rotate', 'addresses', 'revoke'] as const).map((kind) => (
      <ActionButton
        key={kind}
        action={actions[kind]}
        on={on}
        size="small"
        onPress={() => onOpen({ kind, apiKey })}
      />
    ));
  }),
];

import { useMemo, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Backup } from '@sluice/client';
import { formatBytes } from '@sluice/ui/lib/quantity.ts';
import { shownBackup } from '@sluice/console-core/lib/status.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Card, Time } from '@sluice/ui/data.tsx';
import { EmptyState } from '@sluice/ui/feedback.tsx';
import { PlusIcon } from '@sluice/ui/icons.tsx';
import { Status } from '@sluice/ui/status.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import { actionsColumn, timeColumn } from '@sluice/ui/columns.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import layout from '@sluice/ui/layout.module.css';
import { useDeployment } from '../deployment-context.ts';
import { liveQuery } from '../queries.ts';
import { CreateBackup, DeleteBackup, RestoreBackup } from './dialogs.tsx';
import { backupsQuery } from './queries.ts';
import { Schedule } from './schedule.tsx';
import styles from '../deployment.module.css';

const types: Record<string, string> = {
  manual: 'by a person',
  scheduled: 'by schedule',
  pre_upgrade: 'before an upgrade',
};

/** Copies of what the brokers store, when they are taken, and how to go back to one. */
export function BackupsTab() {
  const open = useDeployment();
  const { place, path, words } = open;
  const { data: backups, error, refetch } = useQuery(backupsQuery(open));
  const { data: live } = useQuery(liveQuery(open));
  const [isCreating, setCreating] = useState(false);
  const [restored, setRestored] = useState<Backup>();
  const [deleted, setDeleted] = useState<Backup>();
  const columns = useMemo(
    () =>
      columnsOf({
        place,
        onRestore: setRestored,
        onDelete: setDeleted,
        nodeName: (id) =>
          id === null ? 'all' : (live?.nodes.find((node) => node.id === id)?.name ?? `node ${id}`),
      }),
    [place, live],
  );
  const create = (
    <ActionButton
      action="createBackup"
      on={place}
      kind="primary"
      icon={<PlusIcon />}
      onPress={() => setCreating(true)}
    />
  );
  return (
    <div className={layout.stack}>
      <Card
        title="Backups"
        flush
        actions={
          <span className={layout.inlineRow}>
            {create}
            <AsCode
              command={['backups', 'list', words]}
              request={{
                method: 'GET',
                path: `/deployments/${path.deployment_id}/backups`,
                layer: 'supervisor',
              }}
            />
          </span>
        }
      >
        <DataTable
          name="backups"
          label="Backups"
          rows={backups}
          columns={columns}
          rowKey={({ id }) => id}
          error={error ?? undefined}
          onRetry={() => void refetch()}
          isBare
          empty={
            <EmptyState title="No backups yet" actions={create}>
              A backup is a copy of all that the brokers have stored. They are stopped for a moment while it
              is taken.
            </EmptyState>
          }
        />
      </Card>
      <Schedule />
      {isCreating && <CreateBackup onClose={() => setCreating(false)} />}
      {restored && <RestoreBackup backup={restored} onClose={() => setRestored(undefined)} />}
      {deleted && <DeleteBackup backup={deleted} onClose={() => setDeleted(undefined)} />}
    </div>
  );
}

interface ColumnActions {
  place: ReturnType<typeof useDeployment>['place'];
  nodeName: (id: number | null) => string;
  onRestore: (backup: Backup) => void;
  onDelete: (backup: Backup) => void;
}

const columnsOf = ({ place, nodeName, onRestore, onDelete }: ColumnActions): Column<Backup>[] => [
  {
    id: 'name',
    title: 'Name',
    isFixed: true,
    sortBy: ({ name }) => name,
    cell: ({ name, remarks }) => <span title={remarks ?? undefined}>{name}</span>,
  },
  {
    id: 'status',
    title: 'Status',
    cell: ({ status, error }) => {
      const { kind, word } = shownBackup(status);
      return (
        <div>
          <Status kind={kind}>{word}</Status>
          {error !== null && <p className={styles.reason}>{error}</p>}
        </div>
      );
    },
  },
  {
    id: 'type',
    title: 'Taken',
    wideOnly: true,
    sortBy: ({ backup_type: type }) => type,
    cell: ({ backup_type: type }) => types[type] ?? type,
  },
  {
    id: 'size',
    title: 'Size',
    align: 'end',
    wideOnly: true,
    sortBy: ({ size_bytes: size }) => size,
    cell: ({ size_bytes: size, status }) => (status === 'completed' ? formatBytes(size) : '–'),
  },
  {
    id: 'node',
    title: 'Node',
    wideOnly: true,
    isHiddenAtFirst: true,
    cell: ({ node_id: id }) => nodeName(id),
  },
  timeColumn('created', 'Created', ({ created_at }) => created_at),
  {
    id: 'expires',
    title: 'Expires',
    wideOnly: true,
    sortBy: ({ expires_at: at }) => at ?? '9',
    cell: ({ expires_at: at }) => (at === null ? 'never' : <Time at={at} />),
  },
  actionsColumn((backup) => (
    <>
      <ActionButton
        action="restoreBackup"
        on={place}
        size="small"
        isDisabled={backup.status !== 'completed'}
        onPress={() => onRestore(backup)}
      />
      <ActionButton
        action="deleteBackup"
        on={place}
        size="small"
        isDisabled={['pending', 'in_progress', 'deleting'].includes(backup.status)}
        onPress={() => onDelete(backup)}
      />
    </>
  )),
];

import { useQuery } from '@tanstack/react-query';
import type { Activity, Task, Upgrade } from '@sluice/client';
import { membersQuery } from '@sluice/console-core/api/queries.ts';
import { shownWork } from '@sluice/console-core/lib/status.ts';
import { durationText } from '@sluice/ui/lib/time.ts';
import { storageText } from '@sluice/console-core/lib/tiers.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Card, Time } from '@sluice/ui/data.tsx';
import { EmptyState } from '@sluice/ui/feedback.tsx';
import { Status } from '@sluice/ui/status.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import { timeColumn } from '@sluice/ui/columns.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import layout from '@sluice/ui/layout.module.css';
import { useDeployment } from '../deployment-context.ts';
import { activitiesQuery, liveQuery, tasksQuery } from '../queries.ts';
import styles from '../deployment.module.css';

/** What was done with the deployment: upgrades, what people asked its nodes for, and what these had to do. */
export function ActivityTab() {
  const open = useDeployment();
  const { deployment, path, words } = open;
  const tasks = useQuery(tasksQuery(open));
  const activities = useQuery(activitiesQuery(open));
  const names = useNames();
  return (
    <div className={layout.stack}>
      <Upgrades upgrades={deployment.upgrades} />
      <Card
        title="Activities"
        flush
        actions={
          <AsCode
            command={['activities', 'list', words]}
            request={{
              method: 'GET',
              path: `/deployments/${path.deployment_id}/activities`,
              layer: 'supervisor',
            }}
          />
        }
      >
        <DataTable
          name="activities"
          label="Activities"
          rows={activities.data?.items}
          columns={activityColumns(names)}
          rowKey={({ id }) => id}
          error={activities.error ?? undefined}
          onRetry={() => void activities.refetch()}
          isBare
          empty={
            <EmptyState title="No activities yet">
              Starts, stops, restarts and reconfigurations that people ask for are listed here.
            </EmptyState>
          }
        />
      </Card>
      <Card
        title="Tasks"
        flush
        actions={
          <AsCode
            command={['tasks', 'list', words]}
            request={{ method: 'GET', path: `/deployments/${path.deployment_id}/tasks`, layer: 'supervisor' }}
          />
        }
      >
        <DataTable
          name="tasks"
          label="Tasks"
          rows={tasks.data}
          columns={taskColumns(names)}
          rowKey={({ id }) => id}
          error={tasks.error ?? undefined}
          onRetry={() => void tasks.refetch()}
          isBare
          empty={<EmptyState title="No tasks yet">What the nodes are given to do is listed here.</EmptyState>}
        />
      </Card>
    </div>
  );
}

interface Names {
  node: (id: number) => string;
  person: (id: number | null) => string;
}

/** The names of nodes and people; ids where they are not known. */
function useNames(): Names {
  const open = useDeployment();
  const { data: live } = useQuery(liveQuery(open));
  const { data: members } = useQuery(membersQuery(open.path.tenant_id));
  return {
    node: (id) => live?.nodes.find((node) => node.id === id)?.name ?? `node ${id}`,
    person: (id) =>
      id === null ? 'the system' : (members?.items.find((one) => one.id === id)?.name ?? `person ${id}`),
  };
}

const tookText = (start: string | null, end: string | null) =>
  start === null || end === null ? '–' : durationText(Date.parse(end) - Date.parse(start));

const WorkStatus = ({ status, reason }: { status: string; reason: string | null }) => {
  const { kind, word } = shownWork(status);
  return (
    <div>
      <Status kind={kind}>{word}</Status>
      {reason !== null && <p className={styles.reason}>{reason}</p>}
    </div>
  );
};

const activityColumns = ({ node, person }: Names): Column<Activity>[] => [
  {
    id: 'action',
    title: 'Action',
    isFixed: true,
    sortBy: ({ action }) => action,
    cell: ({ runtime, action }) => `${runtime}: ${action}`,
  },
  {
    id: 'status',
    title: 'Status',
    cell: ({ status, reason }) => <WorkStatus status={status} reason={reason} />,
  },
  { id: 'node', title: 'Node', wideOnly: true, cell: ({ node_id: id }) => node(id) },
  { id: 'author', title: 'By', wideOnly: true, cell: ({ author_id: id }) => person(id) },
  {
    id: 'took',
    title: 'Took',
    wideOnly: true,
    cell: ({ created_at: start, finished_at: end }) => tookText(start, end),
  },
  timeColumn('created', 'Asked', ({ created_at }) => created_at),
];

const taskColumns = ({ node, person }: Names): Column<Task>[] => [
  { id: 'type', title: 'Task', isFixed: true, sortBy: ({ type }) => type, cell: ({ type }) => type },
  {
    id: 'status',
    title: 'Status',
    cell: ({ status, error }) => <WorkStatus status={status} reason={error} />,
  },
  { id: 'node', title: 'Node', wideOnly: true, cell: ({ node_id: id }) => node(id) },
  { id: 'author', title: 'By', wideOnly: true, cell: ({ author_id: id }) => person(id) },
  {
    id: 'took',
    title: 'Took',
    wideOnly: true,
    cell: ({ started_at: start, finished_at: end }) => tookText(start, end),
  },
  timeColumn('created', 'Created', ({ created_at }) => created_at),
];

function Upgrades({ upgrades }: { upgrades: readonly Upgrade[] }) {
  if (upgrades.length === 0) return null;
  return (
    <Card title="Upgrades" flush>
      <ul className={styles.rows}>
        {upgrades.map((one) => (
          <li key={one.requested_at}>
            <span className={styles.wrap}>{changesOf(one).join(', ')}</span>
            <span className={layout.inlineRow}>
              <Status kind={shownWork(one.status).kind}>{shownWork(one.status).word}</Status>
              <Time at={one.requested_at} />
            </span>
            {one.reason !== null && <p className={styles.reason}>{one.reason}</p>}
          </li>
        ))}
      </ul>
    </Card>
  );
}

const changesOf = (one: Upgrade): string[] => [
  ...(one.from_tier === one.to_tier ? [] : [`${one.from_tier} → ${one.to_tier}`]),
  ...(one.from_storage.size === one.to_storage.size
    ? []
    : [`${storageText(one.from_storage)} → ${one.to_storage.size} GB`]),
  ...(one.nodes_before === one.nodes_after ? [] : [`${one.nodes_before} → ${one.nodes_after} nodes`]),
];

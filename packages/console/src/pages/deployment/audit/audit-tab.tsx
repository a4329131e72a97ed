import { useState } from 'react';
import { getRouteApi } from '@tanstack/react-router';
import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { listAuditEntries, listAuditTypes, type AuditEntry } from '@sluice/client';
import { sluice as client } from '../../../api/client.ts';
import { keyOf } from '../../../api/keys.ts';
import { read } from '../../../api/query-client.ts';
import { AsCode } from '../../../parts/as-code.tsx';
import { SettledSearch } from '../../../parts/settled-search.tsx';
import { ComboBox } from '../../../ui/choice.tsx';
import { CodeBlock } from '../../../ui/code.tsx';
import { CopyField } from '../../../ui/copy.tsx';
import { Card, DescriptionList, Time } from '../../../ui/data.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/feedback.tsx';
import { DataTable } from '../../../ui/table.tsx';
import type { Column } from '../../../ui/table-model.ts';
import { useDeployment, type OpenDeployment } from '../deployment-context.ts';
import styles from './audit.module.css';

const route = getRouteApi('/t/$tenantId/d/$divisionId/$environmentId/$deploymentId/audit');

const pageSize = 100;

interface Filter {
  type?: string | undefined;
  q?: string | undefined;
}

/** What the audit log has of a deployment, newest first. The division is named because its readers need no more. */
const entriesQuery = ({ path }: OpenDeployment, { type, q }: Filter) =>
  infiniteQueryOptions({
    queryKey: keyOf('audit', path.tenant_id, 'entries', path.deployment_id, type, q),
    queryFn: async ({ pageParam: page, signal }) =>
      (
        await listAuditEntries({
          client,
          path: { tenant_id: path.tenant_id },
          query: {
            division: path.division_id,
            deployment: path.deployment_id,
            ...(type !== undefined && { types: [type] }),
            ...(q !== undefined && { q }),
            page,
            results: pageSize,
          },
          signal,
        })
      ).data,
    initialPageParam: 1,
    getNextPageParam: ({ total_results }, _all, page) =>
      page * pageSize < total_results ? page + 1 : undefined,
  });

const typesQuery = (tenantId: number) => ({
  ...read(keyOf('audit', tenantId, 'types'), (signal) => listAuditTypes({ client, signal })),
  staleTime: Infinity,
  refetchInterval: false as const,
});

/** Who did what with this deployment. */
export function AuditTab() {
  const open = useDeployment();
  const { path, words } = open;
  const { type, q } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(
    entriesQuery(open, { type, q }),
  );
  const { data: types } = useQuery(typesQuery(path.tenant_id));
  const [shown, setShown] = useState<AuditEntry>();
  const entries = data?.pages.flatMap(({ items }) => items);
  return (
    <>
      <DataTable
        name="deployment-audit"
        label="Audit log"
        rows={entries}
        columns={columns}
        rowKey={keyOfEntry}
        onOpen={setShown}
        error={error ?? undefined}
        onRetry={() => void refetch()}
        total={data?.pages[0]?.total_results ?? 0}
        onMore={hasNextPage ? () => void fetchNextPage() : undefined}
        toolbar={
          <div className={styles.tools}>
            <SettledSearch label="Search in the log" text={q ?? ''} onChange={(text) => set({ q: text })} />
            <ComboBox
              label="Type of event"
              hideLabel
              placeholder="All types"
              options={(types ?? []).map(({ type: key, name }) => ({ key, label: name }))}
              value={type ?? null}
              onChange={(key) => set({ type: key ?? undefined })}
            />
            <AsCode
              command={[
                ...['audit', 'list', '--deployment', words],
                ...(type === undefined ? [] : ['--types', type]),
                ...(q === undefined ? [] : ['--search', q]),
              ]}
              request={{
                method: 'GET',
                path: `/audit/tenants/${path.tenant_id}`,
                query: { division: path.division_id, deployment: path.deployment_id, types: type, q },
                layer: 'audit',
              }}
            />
          </div>
        }
        empty={
          <Card>
            <EmptyState title={type || q ? 'No entry fits' : 'No entries yet'}>
              What people and the system do with this deployment is recorded here.
            </EmptyState>
          </Card>
        }
      />
      {shown && <Entry entry={shown} onClose={() => setShown(undefined)} />}
    </>
  );

  function set(changes: Filter) {
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  }
}

const keyOfEntry = ({ timestamp, type, correlation_id: id, data }: AuditEntry) =>
  `${timestamp} ${type} ${id} ${JSON.stringify(data)}`;

const authorOf = ({ author, api_key: key }: AuditEntry) =>
  author === null ? 'the system' : `${author.name}${key === null ? '' : ` by the key ${key.name}`}`;

const columns: Column<AuditEntry>[] = [
  { id: 'event', title: 'Event', isFixed: true, cell: ({ name }) => name },
  { id: 'author', title: 'By', cell: authorOf },
  {
    id: 'user',
    title: 'About',
    wideOnly: true,
    isHiddenAtFirst: true,
    cell: ({ user }) => user?.name ?? '–',
  },
  { id: 'time', title: 'Time', cell: ({ timestamp: at }) => <Time at={at} /> },
];

function Entry({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  return (
    <Dialog title={entry.name} wide isOpen onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DescriptionList
        items={[
          ['Type', <code key="type">{entry.type}</code>],
          ['By', authorOf(entry)],
          ['About', entry.user?.name],
          ['Time', <Time key="time" at={entry.timestamp} isExact />],
          [
            'Request',
            entry.correlation_id !== null && (
              <CopyField key="request" value={entry.correlation_id} label="id of the request" isInline />
            ),
          ],
        ]}
      />
      {entry.data !== null && <CodeBlock label="Data" code={JSON.stringify(entry.data, null, 2)} />}
    </Dialog>
  );
}

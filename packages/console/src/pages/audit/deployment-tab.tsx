import { useCallback, useState } from 'react';
import { getRouteApi } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import type { AuditEntry } from '@sluice/client';
import { plural } from '@sluice/ui/lib/quantity.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { SettledSearch } from '@sluice/console-core/parts/settled-search.tsx';
import { Button } from '@sluice/ui/button.tsx';
import { ComboBox } from '@sluice/ui/choice.tsx';
import { EmptyState, LiveMark } from '@sluice/ui/feedback.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import layout from '@sluice/ui/layout.module.css';
import { columns } from './columns.tsx';
import { entryKey, queryOf, type LogFilter } from './entries.ts';
import { EntryDialog } from './entry-dialog.tsx';
import { typesQuery, useLog } from './use-log.ts';
import { useDeployment } from '@sluice/console-deployment/deployment-context.ts';

const route = getRouteApi('/t/$tenantId/d/$divisionId/$environmentId/$deploymentId/audit');

/** Who did what with this deployment. The division is named as well, because readers of its log need no more. */
export function AuditTab() {
  const { path, words } = useDeployment();
  const search = route.useSearch();
  const { type, q, person } = search;
  const navigate = route.useNavigate();
  const filter: LogFilter = { ...search, division: path.division_id, deployment: path.deployment_id };
  const { list, rows, total, isLive } = useLog(path.tenant_id, filter, true);
  const { data: types } = useQuery(typesQuery);
  const [shown, setShown] = useState<AuditEntry>();
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [isFetchingNextPage, fetchNextPage]);
  const isFiltered = Object.keys(search).length > 0;
  const clear = (
    <Button size="small" onPress={() => void navigate({ search: {}, replace: true })}>
      Clear the filters
    </Button>
  );
  return (
    <>
      <DataTable
        name="deployment-audit"
        label="Audit log"
        rows={rows}
        columns={columns}
        rowKey={entryKey}
        onOpen={setShown}
        error={list.error ?? undefined}
        onRetry={() => void list.refetch()}
        {...(total !== undefined && { total })}
        onMore={hasNextPage ? more : undefined}
        toolbar={
          <div className={layout.row}>
            <SettledSearch label="Search in the log" text={q ?? ''} onChange={(text) => set({ q: text })} />
            <ComboBox
              label="Type of event"
              hideLabel
              placeholder="All types"
              options={(types ?? []).map(({ type: key, name }) => ({ key, label: name }))}
              value={type ?? null}
              onChange={(key) => set({ type: key ?? undefined })}
            />
            {person !== undefined && clear}
            <span className={layout.muted}>{total !== undefined && plural(total, 'entry', 'entries')}</span>
            <LiveMark isLive={isLive} />
            <AsCode
              command={[
                ...['audit', 'list', '--deployment', words],
                ...(type === undefined ? [] : ['--types', type]),
                ...(person === undefined ? [] : ['--member', String(person)]),
                ...(q === undefined ? [] : ['--search', q]),
              ]}
              request={{
                method: 'GET',
                path: `/audit/tenants/${path.tenant_id}`,
                query: { ...queryOf(filter) },
                layer: 'audit',
              }}
            />
          </div>
        }
        empty={
          isFiltered ? (
            <EmptyState title="No entry fits" actions={clear}>
              There are others without these filters.
            </EmptyState>
          ) : (
            <EmptyState title="No entries yet">
              What people and programs do with this deployment is listed here.
            </EmptyState>
          )
        }
      />
      {shown && (
        <EntryDialog
          entry={shown}
          onClose={() => setShown(undefined)}
          onFilter={(changes) => {
            setShown(undefined);
            set(changes);
          }}
        />
      )}
    </>
  );

  function set(changes: LogFilter) {
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  }
}

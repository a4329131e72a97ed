import { useCallback, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { AuditEntry } from '@sluice/client';
import { contextQuery, structureQuery } from '@sluice/console-core/api/queries.ts';
import { allows } from '@sluice/console-core/api/permissions.ts';
import { plural } from '@sluice/ui/lib/quantity.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { Button } from '@sluice/ui/button.tsx';
import { EmptyState, LiveMark } from '@sluice/ui/feedback.tsx';
import { Menu, MenuItem } from '@sluice/ui/menu.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import layout from '@sluice/ui/layout.module.css';
import { columns } from './columns.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { entryKey, exportQueryOf, queryOf, type LogFilter } from './entries.ts';
import { Filters } from './filters.tsx';
import { useLog } from './use-log.ts';
import styles from './audit.module.css';

const route = getRouteApi('/t/$tenantId/audit/');

/** The entries of the log, the newest first. Its filters are in the address, and new entries are shown as they come. */
export function LogTab() {
  const { tenantId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { filter, isReady } = useReadableFilter(tenantId, search);
  const { list, rows, total, isLive } = useLog(tenantId, filter, isReady);
  const [opened, setOpened] = useState<AuditEntry>();
  const change = (changes: LogFilter) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  const clear = () => void navigate({ search: {}, replace: true });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const more = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [isFetchingNextPage, fetchNextPage]);
  const isFiltered = Object.keys(search).length > 0;
  return (
    <>
      <DataTable
        name="audit"
        label="Entries of the audit log"
        rows={rows}
        columns={columns}
        rowKey={entryKey}
        onOpen={setOpened}
        error={list.error ?? undefined}
        onRetry={() => void list.refetch()}
        {...(total !== undefined && { total })}
        onMore={hasNextPage ? more : undefined}
        toolbar={
          <>
            <Filters tenantId={tenantId} search={search} onChange={change} />
            <div className={styles.end}>
              {isFiltered && (
                <Button size="small" kind="quiet" onPress={clear}>
                  Clear
                </Button>
              )}
              <span className={layout.muted}>{total !== undefined && plural(total, 'entry', 'entries')}</span>
              <LiveMark isLive={isLive} />
              <ExportMenu tenantId={tenantId} filter={filter} />
              <AsCode {...asCode(tenantId, filter)} />
            </div>
          </>
        }
        empty={
          isFiltered ? (
            <EmptyState title="No entry fits" actions={<Button onPress={clear}>Clear the filters</Button>}>
              There are others without these filters.
            </EmptyState>
          ) : (
            <EmptyState title="No entries yet">What people and programs do here will be listed.</EmptyState>
          )
        }
      />
      {opened && (
        <EntryDialog
          entry={opened}
          onClose={() => setOpened(undefined)}
          onFilter={(changes) => {
            setOpened(undefined);
            change(changes);
          }}
        />
      )}
    </>
  );
}

/** Who may read the log of divisions only sees that of one: without a choice, the first. */
function useReadableFilter(tenantId: number, search: LogFilter): { filter: LogFilter; isReady: boolean } {
  const { data: context } = useQuery(contextQuery(tenantId));
  const { data: structure } = useQuery(structureQuery(tenantId));
  if (!context) return { filter: search, isReady: false };
  const held = context.permissions;
  const readsAll = allows(held, { scope: 'tenant', permission: 'audit:read' });
  if (readsAll || search.division !== undefined) return { filter: search, isReady: true };
  if (!structure) return { filter: search, isReady: false };
  const first = structure.divisions.find(({ id }) =>
    allows(held, { scope: 'division', permission: 'audit:read' }, { division: id }),
  );
  // without any the API says what is missing
  return { filter: first ? { ...search, division: first.id } : search, isReady: true };
}

function ExportMenu({ tenantId, filter }: { tenantId: number; filter: LogFilter }) {
  const addressOf = (format: string) => {
    const query = new URLSearchParams({ format, ...exportQueryOf(filter) }).toString();
    return `/api/audit/audit/tenants/${tenantId}/export?${query}`;
  };
  return (
    <Menu aria-label="Export" trigger={<Button size="small">Export</Button>}>
      <MenuItem href={addressOf('ndjson')} target="_blank" download note="to verify and import">
        Lines of JSON
      </MenuItem>
      <MenuItem href={addressOf('csv')} target="_blank" download note="for spreadsheets">
        CSV
      </MenuItem>
    </Menu>
  );
}

const asCode = (tenantId: number, filter: LogFilter) => ({
  command: [
    ...['audit', 'list'],
    ...(filter.q ? ['--search', filter.q] : []),
    ...(filter.after ? ['--since', filter.after] : []),
    ...(filter.before ? ['--until', filter.before] : []),
    ...(filter.type ? ['--types', filter.type] : []),
    ...(filter.person ? ['--member', String(filter.person)] : []),
    ...(filter.deployment ? ['--deployment', String(filter.deployment)] : []),
  ],
  request: {
    method: 'GET',
    path: `/audit/tenants/${tenantId}`,
    query: { ...queryOf(filter) },
    layer: 'audit' as const,
  },
});

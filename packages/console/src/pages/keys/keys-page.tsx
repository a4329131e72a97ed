import { Suspense, useMemo, useState } from 'react';
import { lazyPart } from '@sluice/ui/lib/lazy-part.ts';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useIsLive } from '@sluice/console-core/api/feeds.ts';
import { usePages } from '@sluice/console-core/api/pages.ts';
import { allows } from '@sluice/console-core/api/permissions.ts';
import { contextQuery, membersQuery, structureQuery } from '@sluice/console-core/api/queries.ts';
import { useBreadcrumb } from '@sluice/console-core/parts/breadcrumb.ts';
import { plural } from '@sluice/ui/lib/quantity.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { useNewDialog } from '@sluice/console-core/parts/new-dialog.ts';
import { Select } from '@sluice/ui/choice.tsx';
import { EmptyState, LiveMark } from '@sluice/ui/feedback.tsx';
import { SearchField } from '@sluice/ui/field.tsx';
import { PlusIcon } from '@sluice/ui/icons.tsx';
import { Page } from '@sluice/ui/page.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import layout from '@sluice/ui/layout.module.css';
import { keyColumns } from './columns.tsx';
import type { OpenedDialog } from './opened-dialog.ts';
import { keyActions } from './places.ts';
import { keyPagesQuery, type KeyFilter } from './queries.ts';
import styles from './keys.module.css';

const route = getRouteApi('/t/$tenantId/api-keys');
const Dialogs = lazyPart(() => import('./dialogs.tsx'), 'KeyDialogs');

/** The API keys that the person may see. Who has no right in the organization sees those of a division. */
export function KeysPage() {
  const { tenantId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useBreadcrumb(['API keys'], 'api-keys');
  const isLive = useIsLive(tenantId);
  const { data: context } = useQuery(contextQuery(tenantId));
  const { data: structure } = useQuery(structureQuery(tenantId));
  const { data: members } = useQuery(membersQuery(tenantId));
  const divisions = useMemo(() => structure?.divisions ?? [], [structure]);
  const readsAll =
    context !== undefined && allows(context.permissions, { scope: 'tenant', permission: 'api_key:read' });
  const division = search.division ?? (context && !readsAll ? divisions[0]?.id : undefined);
  const { table, total } = usePages(keyPagesQuery(tenantId, { ...search, division }));
  const [isCreating, setCreating] = useNewDialog();
  const [chosen, setOpened] = useState<OpenedDialog>();
  const opened: OpenedDialog | undefined = isCreating ? { kind: 'create' } : chosen;
  const names = useMemo(
    () => ({
      people: new Map((members?.items ?? []).map(({ id, name }) => [id, name])),
      divisions: new Map(divisions.map(({ id, name }) => [id, name])),
    }),
    [members, divisions],
  );
  const columns = useMemo(
    () => keyColumns({ names, context: context?.permissions, onOpen: setOpened }),
    [names, context],
  );
  const change = (changes: KeyFilter) =>
    void navigate({ search: (before) => ({ ...before, ...changes }), replace: true });
  const actions = keyActions(context?.permissions, division ?? null);
  const divisionName = names.divisions.get(division ?? 0);
  const create = (
    <ActionButton
      action={actions.create}
      on={{ division }}
      kind="primary"
      icon={<PlusIcon />}
      onPress={() => setCreating(true)}
    />
  );
  return (
    <Page
      title="API keys"
      mark={<LiveMark isLive={isLive} />}
      about="Programs sign in with keys. A key acts as the person who made it, with one role."
      actions={
        <>
          <AsCode
            command={['keys', 'list', divisionName]}
            request={{
              method: 'GET',
              path:
                division === undefined
                  ? `/tenants/${tenantId}/api_keys`
                  : `/tenants/${tenantId}/divisions/${division}/api_keys`,
            }}
          />
          {create}
        </>
      }
    >
      <DataTable
        name="api-keys"
        label="API keys"
        {...table}
        columns={columns}
        rowKey={({ id }) => id}
        toolbar={
          <div className={layout.row}>
            <div className={styles.search}>
              <SearchField
                label="Search by name"
                value={search.q ?? ''}
                onChange={(q) => change({ q: q === '' ? undefined : q.slice(0, 100) })}
              />
            </div>
            <div className={styles.filter}>
              <Select
                hideLabel
                label="Division"
                options={[
                  ...(readsAll ? [{ key: '', label: 'All divisions' }] : []),
                  ...divisions.map(({ id, name }) => ({ key: String(id), label: name })),
                ]}
                value={division === undefined ? '' : String(division)}
                onChange={(key) => change({ division: key ? Number(key) : undefined })}
              />
            </div>
            <span className={layout.muted}>{total !== undefined && plural(total, 'key')}</span>
          </div>
        }
        empty={
          search.q === undefined ? (
            <EmptyState title="No API keys" actions={create}>
              Programs and the command line outside of a terminal need one.
            </EmptyState>
          ) : (
            <EmptyState title="No key fits">There are others without this search.</EmptyState>
          )
        }
      />
      <Suspense>
        {opened && (
          <Dialogs
            tenantId={tenantId}
            division={division}
            opened={opened}
            onClose={() => (isCreating ? setCreating(false) : setOpened(undefined))}
          />
        )}
      </Suspense>
    </Page>
  );
}

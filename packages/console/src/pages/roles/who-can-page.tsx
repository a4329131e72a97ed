import { useQueries, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { RoleDetail } from '@sluice/client';
import { usePages } from '@sluice/console-core/api/pages.ts';
import { structureQuery } from '@sluice/console-core/api/queries.ts';
import { placeOptions } from '@sluice/console-core/lib/place-options.ts';
import { plural } from '@sluice/ui/lib/quantity.ts';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { ComboBox } from '@sluice/ui/choice.tsx';
import { EmptyState, PartialState } from '@sluice/ui/feedback.tsx';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { Page } from '@sluice/ui/page.tsx';
import { DataTable } from '@sluice/ui/table.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import layout from '@sluice/ui/layout.module.css';
import { catalogueQuery, memberPagesQuery, rolesQuery } from '../people/queries.ts';
import { roleQuery } from './queries.ts';
import { useRoleCrumbs } from './role-crumbs.tsx';
import { holdersOf, type Holder } from './who-can.ts';
import styles from './roles.module.css';

const route = getRouteApi('/t/$tenantId/roles/who-can');
const scopes = ['tenant', 'division', 'environment'] as const;

/** Who holds a permission somewhere, and by which role. */
export function WhoCanPage() {
  const { tenantId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useRoleCrumbs(tenantId, 'Who can');
  const { data: catalogue } = useQuery(catalogueQuery(tenantId));
  const { data: structure } = useQuery(structureQuery(tenantId));
  const { data: roles } = useQuery(rolesQuery(tenantId));
  const members = usePages(memberPagesQuery(tenantId));
  const details = useQueries({ queries: (roles?.items ?? []).map(({ id }) => roleQuery(tenantId, id)) });
  const known = details.flatMap(({ data }): RoleDetail[] => (data ? [data] : []));
  const failure = members.table.error ?? details.find(({ error }) => error)?.error ?? undefined;

  const permissions = scopes.flatMap((scope) =>
    (catalogue?.[scope] ?? []).map(({ key, name, description }) => ({
      key: `${scope} ${key}`,
      label: `${name}${scope === 'tenant' ? '' : ` (${scope})`}`,
      note: description,
      scope,
      permission: key,
    })),
  );
  const chosen =
    permissions.find(({ key }) => key === search.permission) ??
    permissions.find(({ key }) => key === 'environment deployment:manage');
  const places = placeOptions(structure ?? { divisions: [] }).filter(
    ({ environment }) => chosen?.scope === 'environment' || environment === null,
  );
  const place = places.find(
    ({ division, environment }) =>
      division === search.division && environment === (search.environment ?? null),
  );
  const isKnown = chosen !== undefined && roles !== undefined && known.length === roles.items.length;
  const at = { division: place?.division, environment: place?.environment ?? undefined };
  const rows = isKnown && members.table.rows ? holdersOf(members.table.rows, known, chosen, at) : undefined;
  return (
    <Page title="Who can" about="Which members hold a permission at a place, and by which of their roles.">
      <div className={styles.bar}>
        <ComboBox
          label="Permission"
          options={permissions}
          value={chosen?.key ?? null}
          onChange={(key) =>
            key !== null &&
            void navigate({ search: (before) => ({ ...before, permission: key }), replace: true })
          }
        />
        {chosen && chosen.scope !== 'tenant' && (
          <ComboBox
            label="Place"
            options={[{ key: '', label: 'Anywhere' }, ...places]}
            value={place?.key ?? ''}
            onChange={(key) => {
              const found = places.find((one) => one.key === key);
              void navigate({
                search: {
                  ...(search.permission !== undefined && { permission: search.permission }),
                  ...(found && { division: found.division }),
                  ...(found && found.environment !== null && { environment: found.environment }),
                },
                replace: true,
              });
            }}
          />
        )}
        {chosen && (
          <AsCode
            command={['roles', 'explain', place?.label, '--permission', chosen.permission]}
            request={{ method: 'GET', path: `/tenants/${tenantId}/members` }}
          />
        )}
      </div>
      {members.table.onMore && (
        <PartialState onRetry={members.table.onMore}>
          Only {plural(members.table.rows?.length ?? 0, 'member')} of {members.total} are read so far.
        </PartialState>
      )}
      <DataTable
        name="who-can"
        label={`Members with ${chosen?.permission ?? 'the permission'}`}
        rows={rows}
        columns={columnsOf(tenantId)}
        rowKey={({ member }) => member.id}
        error={failure}
        onRetry={members.table.onRetry}
        toolbar={<span className={layout.muted}>{rows && plural(rows.length, 'member')}</span>}
        empty={
          <EmptyState title="No member can">
            API keys can neither: a key can at most what its person may.
          </EmptyState>
        }
      />
    </Page>
  );
}

const columnsOf = (tenantId: number): Column<Holder>[] => [
  {
    id: 'name',
    title: 'Name',
    isFixed: true,
    sortBy: ({ member }) => member.name,
    cell: ({ member: { id, name } }) => (
      <Link to="/t/$tenantId/people/$memberId" params={{ tenantId, memberId: id }}>
        {name}
      </Link>
    ),
  },
  { id: 'email', title: 'Address', wideOnly: true, cell: ({ member }) => member.email },
  {
    id: 'by',
    title: 'By the role',
    cell: ({ by }) => (
      <span className={layout.inlineRow}>
        {by.map(({ id, name }) => (
          <Link key={id} to="/t/$tenantId/roles/$roleId" params={{ tenantId, roleId: id }}>
            {name}
          </Link>
        ))}
      </span>
    ),
  },
];

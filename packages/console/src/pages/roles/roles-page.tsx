import { useMemo } from 'react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Role, RoleDetail } from '@sluice/client';
import { useIsLive } from '@sluice/console-core/api/feeds.ts';
import { useBreadcrumb } from '@sluice/console-core/parts/breadcrumb.ts';
import { ActionButton } from '@sluice/console-core/parts/allowed.tsx';
import { AsCode } from '@sluice/console-core/parts/as-code.tsx';
import { useTenantId } from '@sluice/console-core/parts/tenant.ts';
import { Card } from '@sluice/ui/data.tsx';
import { ErrorState, LiveMark, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { PlusIcon } from '@sluice/ui/icons.tsx';
import { Link } from '@sluice/console-core/parts/link.tsx';
import { Page } from '@sluice/ui/page.tsx';
import { catalogueQuery, rolesQuery } from '../people/queries.ts';
import { roleQuery } from './queries.ts';
import { RolesMatrix } from './roles-matrix.tsx';

/** All roles side by side: what each grants, and where it has overrides. */
export function RolesPage() {
  const tenantId = useTenantId();
  const navigate = useNavigate();
  const isLive = useIsLive(tenantId);
  useBreadcrumb(['Roles'], 'roles');
  const { data: roles, error, refetch } = useQuery(rolesQuery(tenantId));
  const { data: catalogue } = useQuery(catalogueQuery(tenantId));
  const ordered = useMemo(() => inOrder(roles?.items ?? []), [roles]);
  const details = useQueries({ queries: ordered.map(({ id }) => roleQuery(tenantId, id)) });
  const known = details.flatMap(({ data }): RoleDetail[] => (data ? [data] : []));
  const failure = error ?? details.find((one) => one.error)?.error;
  return (
    <Page
      title="Roles"
      mark={<LiveMark isLive={isLive} />}
      about="What members and API keys may do. Four roles come with the organization."
      actions={
        <>
          <AsCode
            command={['roles', 'list']}
            request={{ method: 'GET', path: `/tenants/${tenantId}/roles` }}
          />
          <Link look="button" to="/t/$tenantId/roles/who-can" params={{ tenantId }}>
            Who can…
          </Link>
          <ActionButton
            action="createRole"
            kind="primary"
            icon={<PlusIcon />}
            onPress={() => void navigate({ to: '/t/$tenantId/roles/new', params: { tenantId } })}
          />
        </>
      }
    >
      <Card title="What each role grants" flush>
        {roles && catalogue && known.length === ordered.length ? (
          <RolesMatrix tenantId={tenantId} roles={known} catalogue={catalogue} />
        ) : failure ? (
          <ErrorState error={failure} onRetry={() => void refetch()} />
        ) : (
          <SkeletonLines count={12} />
        )}
      </Card>
    </Page>
  );
}

/** The roles that come with the organization first, then the others by name. */
const inOrder = (roles: readonly Role[]): Role[] =>
  [...roles].sort((a, b) =>
    a.kind === b.kind
      ? a.kind === 'system'
        ? a.id - b.id
        : a.name.localeCompare(b.name)
      : a.kind === 'system'
        ? -1
        : 1,
  );

import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { SluiceError } from '@sluice/client';
import { accountQuery, ownTenantsQuery } from '@sluice/console-core/api/queries.ts';
import { Plain } from '../../layout/plain.tsx';
import { ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';

/** Leads to where the person works: the default organization, the only one, or the choice. */
export function HomePage() {
  const account = useQuery(accountQuery);
  const tenants = useQuery({ ...ownTenantsQuery, enabled: account.isSuccess });
  if (account.error instanceof SluiceError && account.error.status === 401)
    return <Navigate to="/sign-in" search={{}} replace />;
  const error = account.error ?? tenants.error;
  if (error)
    return (
      <Plain title="Sluice">
        <ErrorState error={error} onRetry={() => void account.refetch().then(() => tenants.refetch())} />
      </Plain>
    );
  if (!account.data || !tenants.data)
    return (
      <Plain title="Sluice">
        <SkeletonLines />
      </Plain>
    );
  const own = tenants.data.items.filter(({ active }) => active);
  const chosen =
    own.find(({ id }) => id === account.data.settings.default_tenant_id) ??
    (own.length === 1 ? own[0] : undefined);
  if (chosen) return <Navigate to="/t/$tenantId" params={{ tenantId: chosen.id }} replace />;
  return <Navigate to="/organizations" replace />;
}

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { allDeploymentStatuses } from '@sluice/console-core/lib/status.ts';
import { defined, id, oneOf, text } from './search.ts';
import { tenantRoute } from './tenant.ts';

export const deploymentsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'deployments',
  validateSearch: (search: Record<string, unknown>) =>
    defined({
      q: text(search, 'q')?.slice(0, 40),
      division: id(search, 'division'),
      environment: id(search, 'environment'),
      region: text(search, 'region'),
      status: oneOf(search, 'status', allDeploymentStatuses),
      sort: oneOf(search, 'sort', ['created_at', '-created_at', 'name', '-name']),
    }),
  component: lazyRouteComponent(() => import('../pages/deployments/deployments-page.tsx'), 'DeploymentsPage'),
});

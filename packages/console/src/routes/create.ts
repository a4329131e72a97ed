import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { defined, id, oneOf } from './search.ts';
import { tenantRoute } from './tenant.ts';

/** Making a deployment: the kind and the place can be in the address. */
export const createDeploymentRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'deployments/new',
  validateSearch: (search: Record<string, unknown>) =>
    defined({
      kind: oneOf(search, 'kind', ['managed', 'byoc', 'starter']),
      division: id(search, 'division'),
      environment: id(search, 'environment'),
    }),
  component: lazyRouteComponent(() => import('../pages/create/create-page.tsx'), 'CreatePage'),
});

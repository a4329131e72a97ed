import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { defined, id } from './search.ts';
import { tenantRoute } from './tenant.ts';

/** From an empty organization to a client that is connected. The deployment that was made is in the address. */
export const startRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'start',
  validateSearch: (search: Record<string, unknown>) => defined({ deployment: id(search, 'deployment') }),
  component: lazyRouteComponent(() => import('../pages/start/start-page.tsx'), 'StartPage'),
});

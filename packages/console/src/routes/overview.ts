import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from './tenant.ts';

export const overviewRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/overview/overview-page.tsx'), 'OverviewPage'),
});

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

/** How the installation is, for everybody: it needs no sign-in. */
export const statusRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/status',
  component: lazyRouteComponent(() => import('../pages/status/status-page.tsx'), 'StatusPage'),
});

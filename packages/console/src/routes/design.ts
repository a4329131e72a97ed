import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';

/** All components with their states, in development and in builds with `--mode design`. */
export const designRoutes =
  import.meta.env.DEV || import.meta.env.MODE === 'design'
    ? [
        createRoute({
          getParentRoute: () => rootRoute,
          path: '/design',
          component: lazyRouteComponent(() => import('../pages/design/design-page.tsx'), 'DesignPage'),
        }),
      ]
    : [];

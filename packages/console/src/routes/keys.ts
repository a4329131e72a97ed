import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { defined, id, text } from './search.ts';
import { tenantRoute } from './tenant.ts';

export const keysRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'api-keys',
  validateSearch: (search: Record<string, unknown>) =>
    defined({ q: text(search, 'q')?.slice(0, 100), division: id(search, 'division') }),
  component: lazyRouteComponent(() => import('../pages/keys/keys-page.tsx'), 'KeysPage'),
});

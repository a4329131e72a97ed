import { createRoute, redirect } from '@tanstack/react-router';
import { SluiceError } from '@sluice/client';
import { queryClient } from '@sluice/console-core/api/query-client.ts';
import { contextQuery } from '@sluice/console-core/api/queries.ts';
import { Shell } from '../layout/shell.tsx';
import { rootRoute } from './root.tsx';
import { defined } from './search.ts';

/** All pages of a tenant are below it. */
export const tenantRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/t/$tenantId',
  params: {
    parse: ({ tenantId }) => ({ tenantId: Number(tenantId) }),
    stringify: ({ tenantId }) => ({ tenantId: String(tenantId) }),
  },
  // the dialog of a page that makes something new is open
  validateSearch: (search: Record<string, unknown>) =>
    defined({ new: search['new'] === true ? true : undefined }),
  beforeLoad: async ({ params: { tenantId }, location }) => {
    try {
      await queryClient.ensureQueryData(contextQuery(tenantId));
    } catch (error) {
      if (error instanceof SluiceError && error.status === 401)
        redirect({ to: '/sign-in', search: { return_to: location.href }, throw: true });
      throw error;
    }
  },
  component: Shell,
});

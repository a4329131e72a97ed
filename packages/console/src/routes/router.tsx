import { createRouter } from '@tanstack/react-router';
import { onSignedOut, queryClient } from '@sluice/console-core/api/query-client.ts';
import { forgetSession } from '@sluice/console-core/api/client.ts';
import { ErrorState, SkeletonLines } from '@sluice/ui/feedback.tsx';
import { auditRoutes } from './audit.ts';
import { billingRoutes } from './billing.ts';
import { createDeploymentRoute } from './create.ts';
import { deploymentRoute } from './deployment.ts';
import { deploymentTabs } from './deployment-tabs.ts';
import { deploymentsRoute } from './deployments.ts';
import { designRoutes } from './design.ts';
import { keysRoute } from './keys.ts';
import { channelRoute, notificationsRoute } from './notifications.ts';
import { organizationRoute, organizationTabs } from './organization.ts';
import { overviewRoute } from './overview.ts';
import { memberRoute, peopleRoute, peopleTabs } from './people.ts';
import { editRoleRoute, newRoleRoute, roleRoute, rolesRoute, whoCanRoute } from './roles.ts';
import { rootRoute } from './root.tsx';
import {
  accountRoute,
  homeRoute,
  invitationsRoute,
  organizationsRoute,
  signInRoute,
  signUpRoute,
  terminalRoute,
} from './sign-in.ts';
import { startRoute } from './start.ts';
import { statusRoute } from './status.ts';
import { tenantRoute } from './tenant.ts';

/** All routes. Each page adds its route here; `designRoutes` is spread so that its type does not join the others. */
const routeTree = rootRoute.addChildren([
  homeRoute,
  signInRoute,
  signUpRoute,
  terminalRoute,
  accountRoute,
  invitationsRoute,
  organizationsRoute,
  statusRoute,
  tenantRoute.addChildren([
    overviewRoute,
    deploymentsRoute,
    createDeploymentRoute,
    auditRoutes,
    billingRoutes,
    notificationsRoute,
    channelRoute,
    startRoute,
    deploymentRoute.addChildren(deploymentTabs),
    peopleRoute.addChildren(peopleTabs),
    memberRoute,
    keysRoute,
    organizationRoute.addChildren(organizationTabs),
    rolesRoute,
    whoCanRoute,
    newRoleRoute,
    roleRoute,
    editRoleRoute,
  ]),
  ...(designRoutes as []),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  defaultPendingComponent: SkeletonLines,
  defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} onRetry={reset} />,
});

onSignedOut(() => {
  const { pathname, href } = router.state.location;
  if (/^\/sign-(in|up)(\/|$)/.test(pathname) || pathname === '/') return;
  forgetSession();
  queryClient.clear();
  void router.navigate({ to: '/sign-in', search: { return_to: href }, replace: true });
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

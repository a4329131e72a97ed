import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from './tenant.ts';

/** The page of one deployment. Its tabs are the routes below it: `deploymentTabs`. */
export const deploymentRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'd/$divisionId/$environmentId/$deploymentId',
  params: {
    parse: ({ divisionId, environmentId, deploymentId }) => ({
      divisionId: Number(divisionId),
      environmentId: Number(environmentId),
      deploymentId: Number(deploymentId),
    }),
    stringify: ({ divisionId, environmentId, deploymentId }) => ({
      divisionId: String(divisionId),
      environmentId: String(environmentId),
      deploymentId: String(deploymentId),
    }),
  },
  component: lazyRouteComponent(
    () => import('@sluice/console-deployment/deployment-page.tsx'),
    'DeploymentPage',
  ),
});

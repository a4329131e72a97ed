import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { deploymentRoute } from './deployment.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** what the tab of a deployment is called */
    tab?: string;
  }
}

const overview = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/',
  staticData: { tab: 'Overview' },
  component: lazyRouteComponent(() => import('../pages/deployment/overview/overview-tab.tsx'), 'OverviewTab'),
});

/** The tabs of a deployment's page, in their order. Each adds its route here. A tab reads what it is about with `useDeployment`. */
export const deploymentTabs = [overview] as const;

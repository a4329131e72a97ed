import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from './tenant.ts';

/** The organization itself. Its parts are tabs. */
export const organizationRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'organization',
  component: lazyRouteComponent(
    () => import('../pages/organization/organization-page.tsx'),
    'OrganizationPage',
  ),
});

export const organizationTabs = [
  createRoute({
    getParentRoute: () => organizationRoute,
    path: '/',
    component: lazyRouteComponent(() => import('../pages/organization/settings-tab.tsx'), 'SettingsTab'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: 'domain',
    component: lazyRouteComponent(() => import('../pages/organization/domain-tab.tsx'), 'DomainTab'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: 'cloud-accounts',
    component: lazyRouteComponent(() => import('../pages/organization/accounts-tab.tsx'), 'AccountsTab'),
  }),
  createRoute({
    getParentRoute: () => organizationRoute,
    path: 'plan',
    component: lazyRouteComponent(() => import('../pages/organization/plan-tab.tsx'), 'PlanTab'),
  }),
] as const;

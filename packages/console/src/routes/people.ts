import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tenantRoute } from './tenant.ts';

/** The people of a tenant: members, invitations and join requests, each with a tab. */
export const peopleRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'people',
  component: lazyRouteComponent(() => import('../pages/people/people-page.tsx'), 'PeoplePage'),
});

export const peopleTabs = [
  createRoute({
    getParentRoute: () => peopleRoute,
    path: '/',
    component: lazyRouteComponent(() => import('../pages/people/members-tab.tsx'), 'MembersTab'),
  }),
  createRoute({
    getParentRoute: () => peopleRoute,
    path: 'invitations',
    component: lazyRouteComponent(() => import('../pages/people/invitations-tab.tsx'), 'InvitationsTab'),
  }),
  createRoute({
    getParentRoute: () => peopleRoute,
    path: 'join-requests',
    component: lazyRouteComponent(() => import('../pages/people/join-requests-tab.tsx'), 'JoinRequestsTab'),
  }),
] as const;

/** One member: their roles, and what they may do by which of them. */
export const memberRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'people/$memberId',
  params: {
    parse: ({ memberId }) => ({ memberId: Number(memberId) }),
    stringify: ({ memberId }) => ({ memberId: String(memberId) }),
  },
  component: lazyRouteComponent(() => import('../pages/people/member-page.tsx'), 'MemberPage'),
});

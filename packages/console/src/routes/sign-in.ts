import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { invitationsPath } from '@sluice/console-core/api/sign-in.ts';
import { rootRoute } from './root.tsx';
import { defined, oneOf, text } from './search.ts';

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>) =>
    defined({ return_to: text(search, 'return_to'), error: text(search, 'error') }),
  component: lazyRouteComponent(() => import('../pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

/** Where the server leads whom an identity provider has confirmed and who has no account yet. */
export const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-up',
  validateSearch: (search: Record<string, unknown>) => defined({ return_to: text(search, 'return_to') }),
  component: lazyRouteComponent(() => import('../pages/sign-in/sign-up-page.tsx'), 'SignUpPage'),
});

/** The person's own account. `next=link`: an identity provider has confirmed a further identity. */
export const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  validateSearch: (search: Record<string, unknown>) => defined({ next: oneOf(search, 'next', ['link']) }),
  component: lazyRouteComponent(() => import('../pages/account/account-page.tsx'), 'AccountPage'),
});

/** Approves a terminal: `DEVICE_PAGE_URL` of the Main API leads here. */
export const terminalRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account/device',
  validateSearch: (search: Record<string, unknown>) => defined({ user_code: text(search, 'user_code') }),
  component: lazyRouteComponent(() => import('../pages/sign-in/terminal-page.tsx'), 'TerminalPage'),
});

export const organizationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/organizations',
  component: lazyRouteComponent(() => import('../pages/sign-in/organizations-page.tsx'), 'OrganizationsPage'),
});

/** The same, where mails with invitations lead to. */
export const invitationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: invitationsPath,
  component: lazyRouteComponent(() => import('../pages/sign-in/organizations-page.tsx'), 'OrganizationsPage'),
});

/** Leads to the default organization, or to the choice of one. */
export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/sign-in/home-page.tsx'), 'HomePage'),
});

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';
import { defined, oneOf, text } from './search.ts';

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>) =>
    defined({ return_to: text(search, 'return_to'), error: text(search, 'error') }),
  component: lazyRouteComponent(() => import('../pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

/** Where people come back to from their identity provider: `console_url` of the Main API leads here. */
export const signInReturnRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in/return',
  validateSearch: (search: Record<string, unknown>) =>
    defined({
      next: oneOf(search, 'next', ['sign_in', 'sign_up', 'link']),
      return_to: text(search, 'return_to'),
    }),
  component: lazyRouteComponent(() => import('../pages/sign-in/return-page.tsx'), 'ReturnPage'),
});

export const organizationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/organizations',
  component: lazyRouteComponent(() => import('../pages/sign-in/organizations-page.tsx'), 'OrganizationsPage'),
});

/** Leads to the default organization, or to the choice of one. */
export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/sign-in/home-page.tsx'), 'HomePage'),
});

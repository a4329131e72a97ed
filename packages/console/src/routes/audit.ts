import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { defined, id, text, time } from './search.ts';
import { tenantRoute } from './tenant.ts';

/** The audit log. Its parts are the routes below it. */
const auditRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'audit',
  component: lazyRouteComponent(() => import('../pages/audit/audit-page.tsx'), 'AuditPage'),
});

const log = createRoute({
  getParentRoute: () => auditRoute,
  path: '/',
  validateSearch: (search: Record<string, unknown>) =>
    defined({
      q: text(search, 'q')?.slice(0, 200),
      type: text(search, 'type'),
      person: id(search, 'person'),
      division: id(search, 'division'),
      environment: id(search, 'environment'),
      deployment: id(search, 'deployment'),
      after: time(search, 'after'),
      before: time(search, 'before'),
    }),
  component: lazyRouteComponent(() => import('../pages/audit/log-tab.tsx'), 'LogTab'),
});

/** All that one request or workflow has caused. */
const story = createRoute({
  getParentRoute: () => auditRoute,
  path: 'requests/$correlationId',
  validateSearch: (search: Record<string, unknown>) => defined({ division: id(search, 'division') }),
  component: lazyRouteComponent(() => import('../pages/audit/story-tab.tsx'), 'StoryTab'),
});

const verification = createRoute({
  getParentRoute: () => auditRoute,
  path: 'verification',
  component: lazyRouteComponent(() => import('../pages/audit/verification-tab.tsx'), 'VerificationTab'),
});

const sink = createRoute({
  getParentRoute: () => auditRoute,
  path: 'sink',
  component: lazyRouteComponent(() => import('../pages/audit/sink-tab.tsx'), 'SinkTab'),
});

export const auditRoutes = auditRoute.addChildren([log, story, verification, sink]);

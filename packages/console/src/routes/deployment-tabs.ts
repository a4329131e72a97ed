import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { metricRanges } from '@sluice/console-core/lib/ranges.ts';
import { logLevels, logRuntimes } from '@sluice/console-core/lib/log-lines.ts';
import { deploymentRoute } from './deployment.ts';
import { defined, id, oneOf, text } from './search.ts';

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
  component: lazyRouteComponent(
    () => import('@sluice/console-deployment/overview/overview-tab.tsx'),
    'OverviewTab',
  ),
});

const connect = createRoute({
  getParentRoute: () => deploymentRoute,
  path: 'connect',
  staticData: { tab: 'Connect' },
  component: lazyRouteComponent(
    () => import('@sluice/console-deployment/connect/connect-tab.tsx'),
    'ConnectTab',
  ),
});

const streams = createRoute({
  getParentRoute: () => deploymentRoute,
  path: 'streams',
  staticData: { tab: 'Streams' },
  validateSearch: (search: Record<string, unknown>) =>
    defined({
      stream: text(search, 'stream')?.slice(0, 255),
      consumer: text(search, 'consumer')?.slice(0, 255),
      range: oneOf(search, 'range', metricRanges),
    }),
  component: lazyRouteComponent(
    () => import('@sluice/console-deployment/streams/streams-tab.tsx'),
    'StreamsTab',
  ),
});

const access = createRoute({
  getParentRoute: () => deploymentRoute,
  path: 'access',
  staticData: { tab: 'Access' },
  component: lazyRouteComponent(
    () => import('@sluice/console-deployment/access/access-tab.tsx'),
    'AccessTab',
  ),
});

const network = createRoute({
  getParentRoute: () => deploymentRoute,
  path: 'network',
  staticData: { tab: 'Network' },
  component: lazyRouteComponent(
    () => import('@sluice/console-deployment/network/network-tab.tsx'),
    'NetworkTab',
  ),
});

const metrics = createRoute({
  getParentRoute: () => deploymentRoute,
  path: 'metrics',
  staticData: { tab: 'Metrics' },
  validateSearch: (search: Record<string, unknown>) =>
    defined({ range: oneOf(search, 'range', metricRanges), node: id(search, 'node') }),
  component: lazyRouteComponent(
    () => import('@sluice/console-deployment/metrics/metrics-tab.tsx'),
    'MetricsTab',
  ),
});

const logs = createRoute({
  getParentRoute: () => deploymentRoute,
  path: 'logs',
  staticData: { tab: 'Logs' },
  validateSearch: (search: Record<string, unknown>) =>
    defined({
      level: oneOf(search, 'level', logLevels),
      runtime: oneOf(search, 'runtime', logRuntimes),
      node: id(search, 'node'),
      q: text(search, 'q')?.slice(0, 200),
    }),
  component: lazyRouteComponent(() => import('@sluice/console-deployment/logs/logs-tab.tsx'), 'LogsTab'),
});

const configuration = createRoute({
  getParentRoute: () => deploymentRoute,
  path: 'configuration',
  staticData: { tab: 'Configuration' },
  validateSearch: (search: Record<string, unknown>) =>
    defined({
      kind: text(search, 'kind')?.slice(0, 100),
      name: text(search, 'name')?.slice(0, 100),
      version: id(search, 'version'),
      view: oneOf(search, 'view', ['form', 'json']),
    }),
  component: lazyRouteComponent(
    () => import('@sluice/console-deployment/configuration/configuration-tab.tsx'),
    'ConfigurationTab',
  ),
});

const backups = createRoute({
  getParentRoute: () => deploymentRoute,
  path: 'backups',
  staticData: { tab: 'Backups' },
  component: lazyRouteComponent(
    () => import('@sluice/console-deployment/backups/backups-tab.tsx'),
    'BackupsTab',
  ),
});

const connectors = createRoute({
  getParentRoute: () => deploymentRoute,
  path: 'connectors',
  staticData: { tab: 'Connectors' },
  component: lazyRouteComponent(
    () => import('@sluice/console-deployment/connectors/connectors-tab.tsx'),
    'ConnectorsTab',
  ),
});

const diagnostics = createRoute({
  getParentRoute: () => deploymentRoute,
  path: 'diagnostics',
  staticData: { tab: 'Diagnostics' },
  validateSearch: (search: Record<string, unknown>) =>
    defined({ snapshot: id(search, 'snapshot'), with: id(search, 'with') }),
  component: lazyRouteComponent(
    () => import('@sluice/console-deployment/diagnostics/diagnostics-tab.tsx'),
    'DiagnosticsTab',
  ),
});

const activity = createRoute({
  getParentRoute: () => deploymentRoute,
  path: 'activity',
  staticData: { tab: 'Activity' },
  component: lazyRouteComponent(
    () => import('@sluice/console-deployment/activity/activity-tab.tsx'),
    'ActivityTab',
  ),
});

const audit = createRoute({
  getParentRoute: () => deploymentRoute,
  path: 'audit',
  staticData: { tab: 'Audit' },
  validateSearch: (search: Record<string, unknown>) =>
    defined({
      type: text(search, 'type')?.slice(0, 100),
      person: id(search, 'person'),
      q: text(search, 'q')?.slice(0, 200),
    }),
  component: lazyRouteComponent(() => import('../pages/audit/deployment-tab.tsx'), 'AuditTab'),
});

const settings = createRoute({
  getParentRoute: () => deploymentRoute,
  path: 'settings',
  staticData: { tab: 'Settings' },
  component: lazyRouteComponent(
    () => import('@sluice/console-deployment/settings/settings-tab.tsx'),
    'SettingsTab',
  ),
});

/** The tabs of a deployment's page, in their order. Each adds its route here. A tab reads what it is about with `useDeployment`. */
export const deploymentTabs = [
  overview,
  connect,
  streams,
  metrics,
  logs,
  access,
  network,
  configuration,
  connectors,
  backups,
  diagnostics,
  activity,
  audit,
  settings,
] as const;

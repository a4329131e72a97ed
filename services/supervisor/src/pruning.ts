import type { PruningRule } from '@sluice/service';

/** @param tombstoneDays for which deployments that are gone are remembered: longer than any message about them can come */
export const pruningRules = (tombstoneDays: number): PruningRule[] => [
  { table: 'removed_uids', since: 'removed_at', keep: `${tombstoneDays} days` },
  { table: 'former_credentials', since: 'valid_to', keep: '1 day' },
  { table: 'deployment_statuses', since: 'ended_at', keep: '365 days' },
  { table: 'tasks', since: 'finished_at', keep: '90 days' },
  { table: 'maintenances', since: 'finished_at', keep: '90 days' },
  { table: 'usage_intervals', since: 'ended_at', keep: '62 days' },
  { table: 'network_links', since: 'deleted_at', keep: '1 hour' },
  { table: 'snapshots', since: 'expires_at', keep: '0 days' },
  { table: 'removed_connector_instances', since: 'removed_at', keep: `${tombstoneDays} days` },
];

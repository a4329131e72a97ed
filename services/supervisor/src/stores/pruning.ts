import type { PruningRule } from '@sluice/service-kit';

/** @param tombstoneDays for which deployments that are gone are remembered: longer than any message about them can come */
export const pruningRules = (tombstoneDays: number): PruningRule[] => [
  { table: 'removed_uids', since: 'removed_at', keep: `${tombstoneDays} days` },
  { table: 'removed_deployments', since: 'removed_at', keep: `${tombstoneDays} days` },
];

import type { PruningRule } from '@sluice/service';

/**
 * What is of no use any more. Lists show what was answered or has ended for ninety days; what only worked until its end goes a
 * day after it.
 * @param tombstoneDays for which deployments that are gone are remembered
 */
export const pruningRules = (tombstoneDays: number): PruningRule[] => [
  { table: 'sessions', since: 'least(idle_expires_at, expires_at)', keep: '1 day' },
  { table: 'sign_in_intents', since: 'expires_at', keep: '1 day' },
  { table: 'device_sign_ins', since: 'expires_at', keep: '1 day' },
  { table: 'pending_sign_ins', since: 'expires_at', keep: '1 day' },
  // one that was taken back counts for as long as it would have been valid
  { table: 'invitations', since: 'expires_at', keep: '1 day', where: "status = 'deleted'" },
  { table: 'invitations', since: 'expires_at', keep: '90 days' },
  { table: 'join_requests', since: 'decided_at', keep: '90 days' },
  {
    table: 'protection_codes',
    since: "coalesce(greatest(issued_at, locked_until, wrong_at[cardinality(wrong_at)]), '-infinity')",
    keep: '1 day',
  },
  { table: 'former_tokens', since: 'expires_at', keep: '1 day' },
  // its message may be tried again for thirty days
  { table: 'undeliverable_mails', since: 'reported_at', keep: '31 days' },
  // one that is whole again says no more than none
  { table: 'mail_allowances', since: 'whole_at', keep: '1 day' },
  // an event may come again for as long as the provider repeats it, and is refused when it is older
  { table: 'payment_events', since: 'received_at', keep: '31 days' },
  { table: 'payment_intents', since: 'ended_at', keep: '90 days' },
  { table: 'restore_differences', since: 'carried_out_at', keep: '90 days' },
  // those of usage that can still come, or be asked for
  {
    table: 'deployment_statuses',
    since: 'changed_at',
    keep: '400 days',
    where:
      'changed_at < (SELECT max(s.changed_at) FROM deployment_statuses s WHERE s.deployment_uid = deployment_statuses.deployment_uid)',
  },
  { table: 'connector_instances', since: 'refused_at', keep: '7 days' },
  { table: 'removed_connector_instances', since: 'removed_at', keep: `${tombstoneDays} days` },
  { table: 'removed_deployments', since: 'removed_at', keep: `${tombstoneDays} days` },
];

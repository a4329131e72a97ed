import type { PruningRule } from '@sluice/service';

/**
 * Ids of messages that can no longer come again: streams keep events for 30 days, into which they are sent again for at
 * most 14 more (`OUTBOX_KEEP_DAYS`) if NATS loses them.
 */
export const inboxRule: PruningRule = { table: 'inbox', since: 'received_at', keep: '45 days' };

import type { TenantId } from '@sluice/contracts';
import type { Transaction } from '../../../database.ts';
import { countInvitations } from '../../../stores/invitations.store.ts';

const countedMilliseconds = 7 * 24 * 60 * 60 * 1000;

/** What the plan's limits count: what was made of late, answered or not, and what is unanswered. */
export const countRecentInvitations = (tx: Transaction, tenantId: TenantId, now: Date) =>
  countInvitations(tx, tenantId, new Date(now.getTime() - countedMilliseconds), now);

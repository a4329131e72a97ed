import type { InvitationId, RoleId, TenantId, UserId } from '@sluice/contracts';
import { bigint, id, nullable, table, text, time, type RowOf } from './columns.ts';

export const Invitation = table('invitations', {
  id: id<InvitationId>(),
  tenant_id: bigint<TenantId>(),
  email: text(),
  /** a pending one past its end is expired; a deleted one is kept only to be counted */
  status: text<'pending' | 'accepted' | 'rejected' | 'deleted'>({ default: 'pending' }),
  invited_by: bigint<UserId>(),
  created_at: time(),
  expires_at: time(),
  /** why its mail could not be delivered, as far as that is known */
  mail_failure: nullable(text()),
});
export type InvitationRow = RowOf<typeof Invitation>;

export const InvitationRole = table('invitation_roles', {
  invitation_id: bigint<InvitationId>({ primary: true }),
  role_id: bigint<RoleId>({ primary: true }),
});

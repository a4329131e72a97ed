import type { InvitationId, RoleId, TenantId, UserId } from '@sluice/contracts';
import { EntitySchema } from 'typeorm';
import { idColumn } from './columns.ts';

export interface InvitationRow {
  id: InvitationId;
  tenant_id: TenantId;
  email: string;
  /** a pending one past its end is expired; a deleted one is kept only to be counted */
  status: 'pending' | 'accepted' | 'rejected' | 'deleted';
  invited_by: UserId;
  created_at: Date;
  expires_at: Date;
  /** why its mail could not be delivered, as far as that is known */
  mail_failure: string | null;
}

export const Invitation = new EntitySchema<InvitationRow>({
  name: 'invitation',
  tableName: 'invitations',
  columns: {
    id: idColumn,
    tenant_id: { type: 'bigint' },
    email: { type: 'text' },
    status: { type: 'text', default: 'pending' },
    invited_by: { type: 'bigint' },
    created_at: { type: 'timestamptz' },
    expires_at: { type: 'timestamptz' },
    mail_failure: { type: 'text', nullable: true },
  },
});

export interface InvitationRoleRow {
  invitation_id: InvitationId;
  role_id: RoleId;
}

export const InvitationRole = new EntitySchema<InvitationRoleRow>({
  name: 'invitation_role',
  tableName: 'invitation_roles',
  columns: {
    invitation_id: { type: 'bigint', primary: true },
    role_id: { type: 'bigint', primary: true },
  },
});

import type { MembershipId, RoleId, TenantId, UserId } from '@sluice/contracts';
import { EntitySchema } from 'typeorm';
import { idColumn } from './columns.ts';

export interface MembershipRow {
  id: MembershipId;
  tenant_id: TenantId;
  user_id: UserId;
  active: boolean;
  created_at: Date;
}

export const Membership = new EntitySchema<MembershipRow>({
  name: 'membership',
  tableName: 'memberships',
  columns: {
    id: idColumn,
    tenant_id: { type: 'bigint' },
    user_id: { type: 'bigint' },
    active: { type: 'boolean', default: true },
    created_at: { type: 'timestamptz', createDate: true },
  },
});

export interface MemberRoleRow {
  membership_id: MembershipId;
  role_id: RoleId;
}

export const MemberRole = new EntitySchema<MemberRoleRow>({
  name: 'member_role',
  tableName: 'member_roles',
  columns: {
    membership_id: { type: 'bigint', primary: true },
    role_id: { type: 'bigint', primary: true },
  },
});

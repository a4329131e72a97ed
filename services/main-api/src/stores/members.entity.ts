import type { MembershipId, RoleId, TenantId, UserId } from '@sluice/contracts';
import { bigint, boolean, id, table, time, type RowOf } from './columns.ts';

export const Membership = table('memberships', {
  id: id<MembershipId>(),
  tenant_id: bigint<TenantId>(),
  user_id: bigint<UserId>(),
  active: boolean({ default: true }),
  created_at: time({ createDate: true }),
});
export type MembershipRow = RowOf<typeof Membership>;

export const MemberRole = table('member_roles', {
  membership_id: bigint<MembershipId>({ primary: true }),
  role_id: bigint<RoleId>({ primary: true }),
});

import type { DivisionId, TenantId, UserId } from '@sluice/contracts';
import { bigint, id, integer, nullable, table, text, time, type RowOf } from './columns.ts';

export const User = table('users', {
  id: id<UserId>(),
  name: text(),
  email: text(),
  /** tenants owned, at most */
  tenants_limit: integer({ default: 3 }),
  memberships_limit: integer({ default: 10 }),
  default_tenant_id: nullable(bigint<TenantId>()),
  default_division_id: nullable(bigint<DivisionId>()),
  created_at: time({ createDate: true }),
  updated_at: time({ updateDate: true }),
});
export type UserRow = RowOf<typeof User>;

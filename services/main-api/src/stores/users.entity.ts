import type { DivisionId, TenantId, UserId } from '@sluice/contracts';
import { EntitySchema } from 'typeorm';
import { idColumn } from './columns.ts';

export interface UserRow {
  id: UserId;
  name: string;
  email: string;
  /** tenants owned, at most */
  tenants_limit: number;
  memberships_limit: number;
  default_tenant_id: TenantId | null;
  default_division_id: DivisionId | null;
  created_at: Date;
  updated_at: Date;
}

export const User = new EntitySchema<UserRow>({
  name: 'user',
  tableName: 'users',
  columns: {
    id: idColumn,
    name: { type: 'text' },
    email: { type: 'text' },
    tenants_limit: { type: 'integer', default: 3 },
    memberships_limit: { type: 'integer', default: 10 },
    default_tenant_id: { type: 'bigint', nullable: true },
    default_division_id: { type: 'bigint', nullable: true },
    created_at: { type: 'timestamptz', createDate: true },
    updated_at: { type: 'timestamptz', updateDate: true },
  },
});

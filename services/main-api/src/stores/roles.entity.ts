import type { RoleId, TenantId } from '@sluice/contracts';
import { EntitySchema } from 'typeorm';
import { idColumn } from './columns.ts';

export interface RoleRow {
  id: RoleId;
  tenant_id: TenantId;
  kind: 'system' | 'custom' | 'api_key';
  name: string;
  /** null for system roles */
  permissions: object | null;
  created_at: Date;
  updated_at: Date;
}

/** A role, as far as it says what it grants. */
export type GrantingRole = Pick<RoleRow, 'kind' | 'name' | 'permissions'>;

export const Role = new EntitySchema<RoleRow>({
  name: 'role',
  tableName: 'roles',
  columns: {
    id: idColumn,
    tenant_id: { type: 'bigint' },
    kind: { type: 'text' },
    name: { type: 'text' },
    permissions: { type: 'jsonb', nullable: true },
    created_at: { type: 'timestamptz', createDate: true },
    updated_at: { type: 'timestamptz', updateDate: true },
  },
});

import type { RoleId, TenantId } from '@sluice/contracts';
import { bigint, id, jsonb, nullable, table, text, time, type RowOf } from './columns.ts';

/** A role, as far as it says what it grants. */
export type GrantingRole = Pick<RoleRow, 'kind' | 'name' | 'permissions'>;

export const Role = table('roles', {
  id: id<RoleId>(),
  tenant_id: bigint<TenantId>(),
  kind: text<'system' | 'custom' | 'api_key'>(),
  name: text(),
  /** null for system roles */
  permissions: nullable(jsonb<object>()),
  created_at: time({ createDate: true }),
  updated_at: time({ updateDate: true }),
});
export type RoleRow = RowOf<typeof Role>;

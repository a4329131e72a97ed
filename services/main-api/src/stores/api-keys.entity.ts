import type { ApiKeyId, CompiledPermissions, DivisionId, RoleId, TenantId, UserId } from '@sluice/contracts';
import { bigint, boolean, id, jsonb, nullable, table, text, time, type RowOf } from './columns.ts';

export const ApiKey = table('api_keys', {
  id: id<ApiKeyId>(),
  tenant_id: bigint<TenantId>(),
  division_id: nullable(bigint<DivisionId>()),
  name: text(),
  token_sha256: text(),
  role_id: bigint<RoleId>(),
  user_id: bigint<UserId>(),
  validate_ip: boolean({ default: false }),
  allowed_ips: text<string[]>({ array: true, default: [] }),
  expiry_at: time(),
  last_used_at: nullable(time()),
  /** caps what its role grants, since a restore of the database; null: no such limit */
  limited_to: nullable(jsonb<CompiledPermissions>()),
  created_at: time({ createDate: true }),
});
export type ApiKeyRow = RowOf<typeof ApiKey>;

export const FormerToken = table('former_tokens', {
  token_sha256: text({ primary: true }),
  api_key_id: bigint<ApiKeyId>(),
  expires_at: time(),
});
export type FormerTokenRow = RowOf<typeof FormerToken>;

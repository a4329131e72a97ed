import type { ApiKeyId, CompiledPermissions, DivisionId, RoleId, TenantId, UserId } from '@sluice/contracts';
import { EntitySchema } from 'typeorm';
import { idColumn } from './columns.ts';

export interface ApiKeyRow {
  id: ApiKeyId;
  tenant_id: TenantId;
  division_id: DivisionId | null;
  name: string;
  token_sha256: string;
  role_id: RoleId;
  user_id: UserId;
  validate_ip: boolean;
  allowed_ips: string[];
  expiry_at: Date;
  last_used_at: Date | null;
  /** what it may do at most, whatever its role says: found after a restore of the database; null: no such limit */
  limited_to: CompiledPermissions | null;
  created_at: Date;
}

export const ApiKey = new EntitySchema<ApiKeyRow>({
  name: 'api_key',
  tableName: 'api_keys',
  columns: {
    id: idColumn,
    tenant_id: { type: 'bigint' },
    division_id: { type: 'bigint', nullable: true },
    name: { type: 'text' },
    token_sha256: { type: 'text' },
    role_id: { type: 'bigint' },
    user_id: { type: 'bigint' },
    validate_ip: { type: 'boolean', default: false },
    allowed_ips: { type: 'text', array: true, default: [] },
    expiry_at: { type: 'timestamptz' },
    last_used_at: { type: 'timestamptz', nullable: true },
    limited_to: { type: 'jsonb', nullable: true },
    created_at: { type: 'timestamptz', createDate: true },
  },
});

/** A token that a key had before it was rotated, while it still works. */
export interface FormerTokenRow {
  token_sha256: string;
  api_key_id: ApiKeyId;
  expires_at: Date;
}

export const FormerToken = new EntitySchema<FormerTokenRow>({
  name: 'former_token',
  tableName: 'former_tokens',
  columns: {
    token_sha256: { type: 'text', primary: true },
    api_key_id: { type: 'bigint' },
    expires_at: { type: 'timestamptz' },
  },
});

import type { TenantId, UserId } from '@sluice/contracts';
import { EntitySchema } from 'typeorm';
import { idColumn } from './columns.ts';

type JoinPolicy = 'invite_only' | 'open' | 'request_to_join';

/** The id in a path that names a tenant. */
export interface TenantPath {
  tenant_id: TenantId;
}

export interface TenantRow {
  id: TenantId;
  name: string;
  description: string | null;
  email: string;
  protected: boolean;
  owner_id: UserId;
  feature_overrides: object;
  join_policy: JoinPolicy;
  block_external_invitations: boolean;
  enforce_domain_only_invitations: boolean;
  email_domain: string | null;
  email_domain_verified_at: Date | null;
  /** by what roles in its cloud accounts know that Sluice acts for this tenant */
  external_id: string;
  created_at: Date;
  updated_at: Date;
}

export const Tenant = new EntitySchema<TenantRow>({
  name: 'tenant',
  tableName: 'tenants',
  columns: {
    id: idColumn,
    name: { type: 'text' },
    description: { type: 'text', nullable: true },
    email: { type: 'text' },
    protected: { type: 'boolean', default: false },
    owner_id: { type: 'bigint' },
    feature_overrides: { type: 'jsonb', default: {} },
    join_policy: { type: 'text', default: 'invite_only' },
    block_external_invitations: { type: 'boolean', default: false },
    enforce_domain_only_invitations: { type: 'boolean', default: false },
    email_domain: { type: 'text', nullable: true },
    email_domain_verified_at: { type: 'timestamptz', nullable: true },
    external_id: { type: 'uuid', default: () => 'gen_random_uuid()' },
    created_at: { type: 'timestamptz', createDate: true },
    updated_at: { type: 'timestamptz', updateDate: true },
  },
});

import type { TenantId, UserId } from '@sluice/contracts';
import { bigint, boolean, id, jsonb, nullable, table, text, time, uuid, type RowOf } from './columns.ts';

type JoinPolicy = 'invite_only' | 'open' | 'request_to_join';

export interface TenantPath {
  tenant_id: TenantId;
}

export const Tenant = table('tenants', {
  id: id<TenantId>(),
  name: text(),
  description: nullable(text()),
  email: text(),
  protected: boolean({ default: false }),
  owner_id: bigint<UserId>(),
  feature_overrides: jsonb<object>({ default: {} }),
  join_policy: text<JoinPolicy>({ default: 'invite_only' }),
  block_external_invitations: boolean({ default: false }),
  enforce_domain_only_invitations: boolean({ default: false }),
  email_domain: nullable(text()),
  email_domain_verified_at: nullable(time()),
  /** by what roles in its cloud accounts know that Sluice acts for this tenant */
  external_id: uuid({ default: () => 'gen_random_uuid()' }),
  created_at: time({ createDate: true }),
  updated_at: time({ updateDate: true }),
});
export type TenantRow = RowOf<typeof Tenant>;

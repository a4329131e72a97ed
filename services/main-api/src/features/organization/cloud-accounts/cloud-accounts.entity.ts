import type { Cloud, CloudAccountId, TenantId } from '@sluice/contracts';
import type { components } from '../../../generated/api.ts';
import { bigint, id, nullable, table, text, time, type RowOf } from '../../../stores/columns.ts';
import type { TenantPath } from '../../../stores/tenants.entity.ts';

/** The ids in a path that names a cloud account: with a wrong tenant it finds nothing. */
export interface CloudAccountPath extends TenantPath {
  cloud_account_id: CloudAccountId;
}

export const CloudAccount = table('cloud_accounts', {
  id: id<CloudAccountId>(),
  tenant_id: bigint<TenantId>(),
  cloud: text<Cloud>(),
  name: text(),
  /** as the provider names it */
  account_id: text(),
  region: nullable(text()),
  status: text<components['schemas']['CloudAccountStatus']>({ default: 'active' }),
  validated_at: nullable(time()),
  /** JSON, encrypted */
  sealed_settings: nullable(text()),
  remarks: nullable(text()),
  created_at: time({ createDate: true }),
  updated_at: time({ updateDate: true }),
});
export type CloudAccountRow = RowOf<typeof CloudAccount>;

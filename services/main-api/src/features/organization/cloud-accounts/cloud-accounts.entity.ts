import type { Cloud, CloudAccountId, TenantId } from '@sluice/contracts';
import { EntitySchema } from 'typeorm';
import type { components } from '../../../generated/api.ts';
import { idColumn } from '../../../stores/columns.ts';
import type { TenantPath } from '../../../stores/tenants.entity.ts';

/** The ids in a path that names a cloud account: with a wrong tenant it finds nothing. */
export interface CloudAccountPath extends TenantPath {
  cloud_account_id: CloudAccountId;
}

export interface CloudAccountRow {
  id: CloudAccountId;
  tenant_id: TenantId;
  cloud: Cloud;
  name: string;
  /** as the provider names it */
  account_id: string;
  region: string | null;
  status: components['schemas']['CloudAccountStatus'];
  validated_at: Date | null;
  /** JSON, encrypted */
  sealed_settings: string | null;
  remarks: string | null;
  created_at: Date;
  updated_at: Date;
}

export const CloudAccount = new EntitySchema<CloudAccountRow>({
  name: 'cloud_account',
  tableName: 'cloud_accounts',
  columns: {
    id: idColumn,
    tenant_id: { type: 'bigint' },
    cloud: { type: 'text' },
    name: { type: 'text' },
    account_id: { type: 'text' },
    region: { type: 'text', nullable: true },
    status: { type: 'text', default: 'active' },
    validated_at: { type: 'timestamptz', nullable: true },
    sealed_settings: { type: 'text', nullable: true },
    remarks: { type: 'text', nullable: true },
    created_at: { type: 'timestamptz', createDate: true },
    updated_at: { type: 'timestamptz', updateDate: true },
  },
});

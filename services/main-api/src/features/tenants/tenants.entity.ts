import type { TenantId, UserId } from '@sluice/contracts';
import { EntitySchema } from 'typeorm';
import { idColumn } from '../../id-column.ts';

export interface TenantRow {
  id: TenantId;
  name: string;
  description: string | null;
  email: string;
  protected: boolean;
  owner_id: UserId;
  feature_overrides: object;
  email_domain: string | null;
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
    email_domain: { type: 'text', nullable: true },
    created_at: { type: 'timestamptz', createDate: true },
    updated_at: { type: 'timestamptz', updateDate: true },
  },
});

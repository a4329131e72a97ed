import type { DivisionId, TenantId } from '@sluice/contracts';
import { EntitySchema } from 'typeorm';
import { idColumn } from './columns.ts';

/** The ids in a path that names a division: with a wrong tenant it finds nothing. */
export interface DivisionPath {
  tenant_id: TenantId;
  division_id: DivisionId;
}

export interface DivisionRow {
  id: DivisionId;
  tenant_id: TenantId;
  name: string;
  description: string | null;
  email: string | null;
  /** labels below the tenant's `email_domain`, in lower case */
  email_subdomain: string | null;
  protected: boolean;
  created_at: Date;
  updated_at: Date;
}

export const Division = new EntitySchema<DivisionRow>({
  name: 'division',
  tableName: 'divisions',
  columns: {
    id: idColumn,
    tenant_id: { type: 'bigint' },
    name: { type: 'text' },
    description: { type: 'text', nullable: true },
    email: { type: 'text', nullable: true },
    email_subdomain: { type: 'text', nullable: true },
    protected: { type: 'boolean', default: false },
    created_at: { type: 'timestamptz', createDate: true },
    updated_at: { type: 'timestamptz', updateDate: true },
  },
});

import type { DivisionId, EnvironmentId, TenantId } from '@sluice/contracts';
import { EntitySchema } from 'typeorm';
import { idColumn } from './columns.ts';
import type { DivisionPath } from './divisions.entity.ts';

/** The ids in a path that names an environment. */
export interface EnvironmentPath extends DivisionPath {
  environment_id: EnvironmentId;
}

export interface EnvironmentRow {
  id: EnvironmentId;
  tenant_id: TenantId;
  division_id: DivisionId;
  name: string;
  description: string | null;
  protected: boolean;
  created_at: Date;
  updated_at: Date;
}

export const Environment = new EntitySchema<EnvironmentRow>({
  name: 'environment',
  tableName: 'environments',
  columns: {
    id: idColumn,
    tenant_id: { type: 'bigint' },
    division_id: { type: 'bigint' },
    name: { type: 'text' },
    description: { type: 'text', nullable: true },
    protected: { type: 'boolean', default: false },
    created_at: { type: 'timestamptz', createDate: true },
    updated_at: { type: 'timestamptz', updateDate: true },
  },
});

import type { DivisionId, EnvironmentId, TenantId } from '@sluice/contracts';
import { bigint, boolean, id, nullable, table, text, time, type RowOf } from './columns.ts';
import type { DivisionPath } from './divisions.entity.ts';

export interface EnvironmentPath extends DivisionPath {
  environment_id: EnvironmentId;
}

export const Environment = table('environments', {
  id: id<EnvironmentId>(),
  tenant_id: bigint<TenantId>(),
  division_id: bigint<DivisionId>(),
  name: text(),
  description: nullable(text()),
  protected: boolean({ default: false }),
  created_at: time({ createDate: true }),
  updated_at: time({ updateDate: true }),
});
export type EnvironmentRow = RowOf<typeof Environment>;

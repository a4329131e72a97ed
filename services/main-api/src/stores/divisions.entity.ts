import type { DivisionId, TenantId } from '@sluice/contracts';
import { bigint, boolean, id, nullable, table, text, time, type RowOf } from './columns.ts';

/** The ids in a path that names a division: with a wrong tenant it finds nothing. */
export interface DivisionPath {
  tenant_id: TenantId;
  division_id: DivisionId;
}

export const Division = table('divisions', {
  id: id<DivisionId>(),
  tenant_id: bigint<TenantId>(),
  name: text(),
  description: nullable(text()),
  email: nullable(text()),
  /** labels below the tenant's `email_domain`, in lower case */
  email_subdomain: nullable(text()),
  protected: boolean({ default: false }),
  created_at: time({ createDate: true }),
  updated_at: time({ updateDate: true }),
});
export type DivisionRow = RowOf<typeof Division>;

import { idOf, type DivisionId, type TenantId } from '@sluice/contracts';
import type { KeyAuthorizerOptions } from '@sluice/http';

/** Entries are asked for in a tenant, and where the query says so in one of its divisions. */
export const locateEntries: KeyAuthorizerOptions['locate'] = async ({ tenant_id }, { division }) => {
  if (tenant_id === undefined) return undefined;
  const named = typeof division === 'string' && /^[1-9]\d{0,15}$/.test(division);
  return { tenant: idOf<TenantId>(tenant_id), division: named ? idOf<DivisionId>(division) : undefined };
};

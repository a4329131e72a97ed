import type { DeploymentId, DivisionId, EnvironmentId, TenantId, UserId } from '@sluice/contracts';
import type { Database } from '../../database/tables.ts';

/** An absent field matches any entry. */
export interface EntryFilter {
  tenant: TenantId;
  /** included */
  from?: Date | undefined;
  /** not included */
  to?: Date | undefined;
  author?: UserId | undefined;
  user?: UserId | undefined;
  division?: DivisionId | undefined;
  environment?: EnvironmentId | undefined;
  deployment?: DeploymentId | undefined;
  types?: readonly string[] | undefined;
  correlationId?: string | undefined;
}

/** The entries that satisfy a filter. */
export function matching(db: Database, filter: EntryFilter) {
  let query = db.selectFrom('log_entries').where('tenant_id', '=', filter.tenant);
  for (const subject of ['author', 'user', 'division', 'environment', 'deployment'] as const) {
    const id = filter[subject];
    if (id !== undefined) query = query.where(`${subject}_id`, '=', id);
  }
  const { from, to, types, correlationId } = filter;
  if (from) query = query.where('occurred_at', '>=', from);
  if (to) query = query.where('occurred_at', '<', to);
  if (types) query = query.where('type', 'in', types);
  if (correlationId) query = query.where('correlation_id', '=', correlationId);
  return query;
}

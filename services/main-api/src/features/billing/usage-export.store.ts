import type { TenantId } from '@sluice/contracts';
import type { Database } from '@sluice/main-store/database';
import type { ExportedUsage } from '@sluice/billing/usage-lines';
import { labelledUsage, secondsWithin, type Span } from './usage.store.ts';

/** Where an export goes on: behind what begins at this time, of this deployment. */
export interface ExportCursor {
  billed_id: number;
  started_at: Date | null;
}

/** The next lines of a tenant's usage, by deployment and time (primary key of usage_intervals). */
export function listExported(
  db: Database,
  tenantId: TenantId,
  { from, to }: Span,
  { billed_id, started_at }: ExportCursor,
  limit: number,
): Promise<ExportedUsage[]> {
  const start = 'greatest(u.started_at, $2, l.valid_from)';
  return db.query<ExportedUsage>(
    `SELECT b.uid, b.deployment_id, b.tenant_id, b.division_id, b.environment_id, b.name, b.division_name,
       b.environment_name, b.cloud, b.region, u.*, seconds, l.labels,
       ${start} AS started_at, least(u.ended_at, $3, l.valid_to) AS ended_at
     FROM ${labelledUsage}, ${secondsWithin(start, 'least($3, l.valid_to)')}
     WHERE b.tenant_id = $1 AND seconds > 0 AND b.id >= $4
       AND (b.id > $4 OR ${start} > coalesce($5, '-infinity'::timestamptz))
     ORDER BY b.id, ${start} LIMIT $6`,
    [tenantId, from, to, billed_id, started_at, limit],
  );
}

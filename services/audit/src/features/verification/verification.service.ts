import type { TenantId } from '@sluice/contracts';
import type { ParamsOf } from '@sluice/http';
import { problem, sqlOf } from '@sluice/service';
import type pg from 'pg';
import type { Database } from '../../database/tables.ts';
import type { components, operations } from '../../generated/api.ts';
import { isDeleted } from '../../stores/deleted-tenants.store.ts';
import { checkChain, type KnownHeads } from './chain-check.ts';

type TenantPath = ParamsOf<operations['verifyAuditLog']>;

export interface VerificationDependencies {
  pool: pg.Pool;
  database: Database;
  now: () => Date;
  /** when the database was last found to be restored; null for never */
  restoredAt: () => Promise<Date | null>;
  /** heads that were published, by number; how many words of them are nobody's who may say them */
  published?: ((tenant: TenantId) => Promise<{ known: KnownHeads; refused: number }>) | undefined;
}
export type VerificationService = ReturnType<typeof verificationService>;

/** verifications of this instance at a time, each of another tenant */
const mostAtATime = 2;

/** Whether the log of a tenant is as it was recorded (interface, 4.15). */
export function verificationService({
  pool,
  database,
  now,
  restoredAt,
  published = async () => ({ known: new Map(), refused: 0 }),
}: VerificationDependencies) {
  const running = new Set<TenantId>();
  return {
    /** @throws Problem `not_found` when the tenant is deleted, `rate_limited` while others are under way */
    async verify({ tenant_id }: TenantPath): Promise<components['schemas']['AuditVerification']> {
      if (running.has(tenant_id) || running.size >= mostAtATime)
        throw problem('rate_limited', { headers: { 'retry-after': '10' } });
      running.add(tenant_id);
      try {
        if (await isDeleted(database, tenant_id)) throw problem('not_found');
        const { known, refused } = await published(tenant_id);
        const log = { database, sql: sqlOf(pool), now: now() };
        const { anchor, last, entries, agreed, missing, broken } = await checkChain(log, tenant_id, known);
        return {
          intact: broken === undefined,
          break: broken ?? null,
          entries,
          anchor: anchor.seq === 0 ? null : anchor,
          last: last.seq === 0 ? null : last,
          published_heads: { agreed, refused, missing: missing ?? null },
          database_restored_at: (await restoredAt())?.toISOString() ?? null,
          verified_at: now().toISOString(),
        };
      } finally {
        running.delete(tenant_id);
      }
    },
  };
}

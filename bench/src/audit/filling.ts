import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { openKysely } from '@sluice/service/kysely';
import type { Tables } from '../../../services/audit/src/database/tables.ts';
import { Counts } from '../../../services/audit/src/features/audit-log/counts.ts';
import {
  auditLogService,
  preparedDraft,
  type Draft,
} from '../../../services/audit/src/features/audit-log/audit-log.service.ts';

const perStatement = 1_000;
const types = [
  'division_updated',
  'deployment_created',
  'deployment_deleted',
  'api_key_created',
  'member_invited',
];

/** beside whom the others are small: a fifth of all entries are its */
export const largest = 1;

/** Whose the n-th entry is. */
export const tenantOf = (number: number, tenants: number) =>
  number % 5 === 0 ? largest : 2 + ((number * 7_919) % (tenants - 1));

/** When the n-th of so many entries happened: over half a year, to now. */
export const timeOf = (number: number, size: number, now: number) =>
  new Date(now - ((size - number) / size) * 180 * 24 * 60 * 60 * 1_000);

/**
 * Adds entries to the logs, from one number to another of so many, as the service would have: chained, in the partitions of
 * their months; then counts them as it does.
 * @returns microseconds for each entry that it took to count them
 */
export async function fill(
  pool: pg.Pool,
  { from, to, size, tenants, now }: Record<'from' | 'to' | 'size' | 'tenants' | 'now', number>,
): Promise<number> {
  const database = openKysely<Tables>(pool);
  // counted at the end, by itself
  const auditLog = auditLogService({
    database,
    now: () => new Date(now),
    counts: { grown: () => undefined },
  });
  for (let first = from; first < to; first += perStatement) {
    const numbers = Array.from({ length: Math.min(perStatement, to - first) }, (_, index) => first + index);
    const drafts = numbers.map((number) =>
      preparedDraft(draftAt(number, tenants, timeOf(number, size, now))),
    );
    await database.transaction().execute((db) => auditLog.append(db, drafts));
  }
  await pool.query('VACUUM ANALYZE log_entries');
  const begun = performance.now();
  await new Counts(database).countAll();
  const took = (performance.now() - begun) * 1_000;
  await pool.query('VACUUM ANALYZE log_counts');
  await pool.query(
    'INSERT INTO tenant_features VALUES ($1, 1, 100000, true) ON CONFLICT (tenant_id) DO NOTHING',
    [largest],
  );
  return took / (to - from);
}

function draftAt(number: number, tenants: number, at: Date): Draft {
  const ref = (id: number, name: string) => ({ id, name });
  return {
    tenant_id: tenantOf(number, tenants),
    recorded_at: at,
    event_id: randomUUID(),
    position: number + 1,
    type: types[Math.floor(number / 7) % types.length] ?? '',
    author: ref(1 + (Math.floor(number / 11) % 50), 'Ada Lovelace'),
    user: number % 11 === 0 ? ref(1 + (number % 50), 'Grace Hopper') : null,
    division: ref(1 + (Math.floor(number / 5) % 5), 'Payments'),
    environment: ref(1 + (Math.floor(number / 3) % 20), 'production'),
    deployment: ref(1 + (Math.floor(number / 3) % 200), 'broker'),
    api_key: ref(9, 'deploy'),
    data: { changes: { description: { from: 'one', to: 'other' } } },
    as_sent: null,
    correlation_id: randomUUID(),
    occurred_at: at.toISOString(),
  };
}

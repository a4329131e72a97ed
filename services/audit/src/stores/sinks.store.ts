import type { TenantId } from '@sluice/contracts';
import { problem } from '@sluice/service';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Database, Tables } from '../database/tables.ts';

export type SinkRow = Selectable<Tables['sinks']>;

/** The right to deliver, until another replica has it or the sink is changed. Times are the database's. */
export type SinkKey = Pick<SinkRow, 'tenant_id' | 'fence'>;

/** @throws Problem `not_found` */
export async function getSink(db: Database, tenantId: TenantId): Promise<SinkRow> {
  const row = await db.selectFrom('sinks').selectAll().where('tenant_id', '=', tenantId).executeTakeFirst();
  if (!row) throw problem('not_found');
  return row;
}

export async function lockSink(db: Database, tenantId: TenantId): Promise<SinkRow | undefined> {
  return await db
    .selectFrom('sinks')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .forUpdate()
    .executeTakeFirst();
}

/** @returns whether there was none */
export async function insertSink(db: Database, sink: Insertable<Tables['sinks']>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('sinks')
    .values(sink)
    .onConflict((conflict) => conflict.column('tenant_id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Changes a locked sink; a delivery that is under way has no say any more, and the next is made at once. */
export async function updateSink(
  db: Database,
  tenantId: TenantId,
  changes: Updateable<Tables['sinks']>,
): Promise<void> {
  await db
    .updateTable('sinks')
    .set({
      ...changes,
      ...{ failures: 0, failing_since: null, failing_told: false },
      ...{ fence: sql<number>`fence + 1`, leased_until: null },
      ...{ due_at: sql<Date>`clock_timestamp()`, updated_at: sql<Date>`clock_timestamp()` },
    })
    .where('tenant_id', '=', tenantId)
    .execute();
}

export async function deleteSink(db: Database, tenantId: TenantId): Promise<void> {
  await db.deleteFrom('sinks').where('tenant_id', '=', tenantId).execute();
}

/** Notes that a locked sink is tried now, unless that was done less than so many seconds ago. @returns the seconds that are lacking then */
export async function noteSinkTest(db: Database, tenantId: TenantId, seconds: number): Promise<number> {
  const { rows } = await sql<{ lacking: number }>`
    WITH noted AS (
      UPDATE sinks SET tested_at = clock_timestamp()
      WHERE tenant_id = ${tenantId}
        AND (tested_at IS NULL OR tested_at <= clock_timestamp() - make_interval(secs => ${seconds}))
      RETURNING 1)
    SELECT coalesce(extract(epoch FROM tested_at - clock_timestamp()) + ${seconds}, 0)::float8 AS lacking
    FROM sinks WHERE tenant_id = ${tenantId} AND NOT EXISTS (SELECT FROM noted)`.execute(db);
  return rows[0]?.lacking ?? 0;
}

/**
 * Leases at most `limit` sinks to which something can be due and that no replica holds: those that have waited longest.
 * @param failing true: of those that failed last time, false: of the others
 */
export async function leaseSinks(
  db: Database,
  { leaseSeconds, failing, limit }: { leaseSeconds: number; failing: boolean; limit: number },
): Promise<SinkRow[]> {
  const { rows } = await sql<SinkRow>`
    UPDATE sinks SET fence = fence + 1, leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    WHERE tenant_id = ANY (ARRAY(
      SELECT s.tenant_id FROM sinks s JOIN tenant_features f ON f.tenant_id = s.tenant_id
      WHERE s.enabled AND f.audit_export_enabled AND s.due_at <= clock_timestamp()
        AND (s.leased_until IS NULL OR s.leased_until <= clock_timestamp()) AND (s.failures > 0) = ${failing}
      ORDER BY s.due_at LIMIT ${limit} FOR UPDATE OF s SKIP LOCKED))
    RETURNING *`.execute(db);
  return rows;
}

/** Extends leases. @returns the tenants of those that are still held */
export async function renewSinkLeases(
  db: Database,
  sinks: readonly SinkKey[],
  leaseSeconds: number,
): Promise<TenantId[]> {
  const held = sinks.map(({ tenant_id, fence }) => ({ tenant_id, fence }));
  const { rows } = await sql<{ tenant_id: TenantId }>`
    UPDATE sinks SET leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    FROM jsonb_to_recordset(${JSON.stringify(held)}::jsonb) AS held (tenant_id bigint, fence bigint)
    WHERE sinks.tenant_id = held.tenant_id AND sinks.fence = held.fence AND leased_until IS NOT NULL
    RETURNING sinks.tenant_id`.execute(db);
  return rows.map(({ tenant_id }) => tenant_id);
}

export interface Delivered {
  /** `seq` of the last entry that was taken */
  position: number;
  delivered: number;
  missed: number;
}

/** Notes what a sink has taken. @param pauseSeconds until it is due again; undefined: the holder goes on under its lease */
export async function noteDelivery(
  db: Database,
  { tenant_id, fence }: SinkKey,
  { position, delivered, missed }: Delivered,
  pauseSeconds: number | undefined,
): Promise<SinkRow | undefined> {
  const { rows } = await sql<SinkRow>`
    UPDATE sinks SET position = ${position}, delivered = delivered + ${delivered}, missed = missed + ${missed},
      last_delivery_at = CASE WHEN ${delivered}::bigint > 0 THEN clock_timestamp() ELSE last_delivery_at END,
      failures = 0, failing_since = NULL, failing_told = false,
      leased_until = CASE WHEN ${pauseSeconds ?? null}::float8 IS NULL THEN leased_until END,
      due_at = clock_timestamp() + make_interval(secs => ${pauseSeconds ?? 0}::float8)
    WHERE tenant_id = ${tenant_id} AND fence = ${fence} RETURNING *`.execute(db);
  return rows[0];
}

/** Notes that a sink did not take what it was sent. @returns how it is then, unless it is in other hands */
export async function noteFailure(
  db: Database,
  { tenant_id, fence }: SinkKey,
  { reason, pauseSeconds }: { reason: string; pauseSeconds: number },
): Promise<SinkRow | undefined> {
  const { rows } = await sql<SinkRow>`
    UPDATE sinks SET failures = failures + 1, failing_since = coalesce(failing_since, clock_timestamp()),
      last_error = ${reason}, last_error_at = clock_timestamp(), leased_until = NULL,
      due_at = clock_timestamp() + make_interval(secs => ${pauseSeconds}::float8)
    WHERE tenant_id = ${tenant_id} AND fence = ${fence} RETURNING *`.execute(db);
  return rows[0];
}

export async function noteFailingTold(db: Database, { tenant_id, fence }: SinkKey): Promise<void> {
  await db
    .updateTable('sinks')
    .set({ failing_told: true })
    .where('tenant_id', '=', tenant_id)
    .where('fence', '=', fence)
    .execute();
}

/** Gives back a sink that nothing was sent to. */
export async function releaseSink(db: Database, { tenant_id, fence }: SinkKey): Promise<void> {
  await db
    .updateTable('sinks')
    .set({ leased_until: null })
    .where('tenant_id', '=', tenant_id)
    .where('fence', '=', fence)
    .execute();
}

/** Sinks in the order of their tenants, after one; for whoever goes through all of them. */
export async function sealedSinksAfter(db: Database, after: TenantId | 0, most: number) {
  return await db
    .selectFrom('sinks')
    .select(['tenant_id', 'sealed_settings'])
    .where(sql<boolean>`tenant_id > ${after}`)
    .orderBy('tenant_id')
    .limit(most)
    .execute();
}

/** Stores the same settings sealed anew, unless they were changed meanwhile. @returns whether it did */
export async function resealSink(
  db: Database,
  { tenant_id, sealed_settings }: Pick<SinkRow, 'tenant_id' | 'sealed_settings'>,
  anew: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sinks')
    .set({ sealed_settings: anew })
    .where('tenant_id', '=', tenant_id)
    .where('sealed_settings', '=', sealed_settings)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** How many sinks there are, by whether they are failing. */
export async function countSinks(db: Database): Promise<{ failing: number; others: number }> {
  return await db
    .selectFrom('sinks')
    .where('enabled', '=', true)
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('failures', '>', 0).as('failing'),
      fn.countAll<number>().filterWhere('failures', '=', 0).as('others'),
    ])
    .executeTakeFirstOrThrow();
}

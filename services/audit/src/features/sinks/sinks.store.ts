import type { TenantId } from '@sluice/contracts';
import { problem } from '@sluice/service';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Database, Tables } from '../../database/tables.ts';

export type SinkRow = Selectable<Tables['sinks']>;

/** The right to deliver, until another replica has it or the sink is changed. Times are the database's. */
export type SinkKey = Pick<SinkRow, 'tenant_id' | 'fence'>;

const clock = sql<Date>`clock_timestamp()`;
const inSeconds = (seconds: number) =>
  sql<Date>`clock_timestamp() + make_interval(secs => ${seconds}::float8)`;

/** of a sink that takes what it is sent */
const working = { failures: 0, failing_since: null, failure_reported: false };

/** A change under the lease of a sink. */
const held = (db: Database, { tenant_id, fence }: SinkKey) =>
  db.updateTable('sinks').where('tenant_id', '=', tenant_id).where('fence', '=', fence);

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

/** Changes a locked sink: a delivery that is under way loses its lease, and the next is due at once. */
export async function updateSink(
  db: Database,
  tenantId: TenantId,
  changes: Updateable<Tables['sinks']>,
): Promise<void> {
  await db
    .updateTable('sinks')
    .set((of) => ({
      ...changes,
      ...working,
      ...{ fence: of('fence', '+', 1), leased_until: null },
      ...{ due_at: clock, updated_at: clock },
    }))
    .where('tenant_id', '=', tenantId)
    .execute();
}

export async function deleteSink(db: Database, tenantId: TenantId): Promise<void> {
  await db.deleteFrom('sinks').where('tenant_id', '=', tenantId).execute();
}

/** Records that a locked sink is tested now, unless it was less than so many seconds ago. @returns the seconds to wait then, or 0 */
export async function beginSinkTest(db: Database, tenantId: TenantId, seconds: number): Promise<number> {
  const begun = await db
    .updateTable('sinks')
    .set({ tested_at: clock })
    .where('tenant_id', '=', tenantId)
    .where((of) => of.or([of('tested_at', 'is', null), of('tested_at', '<=', inSeconds(-seconds))]))
    .executeTakeFirst();
  if (begun.numUpdatedRows > 0n) return 0;
  const row = await db
    .selectFrom('sinks')
    .select(sql<number>`extract(epoch FROM tested_at - clock_timestamp())::float8 + ${seconds}`.as('rest'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return row?.rest ?? 0;
}

/**
 * Leases at most `limit` sinks to which something can be due and that no replica holds: those that have waited longest.
 * @param failing true: of those that failed last time, false: of the others
 */
export async function leaseSinks(
  db: Database,
  { leaseSeconds, failing, limit }: { leaseSeconds: number; failing: boolean; limit: number },
): Promise<SinkRow[]> {
  return await db
    .with('due', (of) =>
      of
        .selectFrom('sinks')
        .innerJoin('tenant_features as features', 'features.tenant_id', 'sinks.tenant_id')
        .select('sinks.tenant_id')
        .where('enabled', '=', true)
        .where('audit_export_enabled', '=', true)
        .where('due_at', '<=', clock)
        .where((sink) => sink.or([sink('leased_until', 'is', null), sink('leased_until', '<=', clock)]))
        .where('failures', failing ? '>' : '=', 0)
        .orderBy('due_at')
        .limit(limit)
        .forUpdate('sinks')
        .skipLocked(),
    )
    .updateTable('sinks')
    .from('due')
    .set((sink) => ({ fence: sink('fence', '+', 1), leased_until: inSeconds(leaseSeconds) }))
    .whereRef('sinks.tenant_id', '=', 'due.tenant_id')
    .returningAll('sinks')
    .execute();
}

/** Extends leases. @returns the tenants of those that are still held */
export async function renewSinkLeases(
  db: Database,
  sinks: readonly SinkKey[],
  leaseSeconds: number,
): Promise<TenantId[]> {
  const rows = await db
    .updateTable('sinks')
    .set({ leased_until: inSeconds(leaseSeconds) })
    .where('leased_until', 'is not', null)
    .where((of) => of.or(sinks.map(({ tenant_id, fence }) => of.and({ tenant_id, fence }))))
    .returning('tenant_id')
    .execute();
  return rows.map(({ tenant_id }) => tenant_id);
}

export interface Delivered {
  /** `seq` of the last entry that was taken */
  position: number;
  delivered: number;
  missed: number;
}

/** Records what a sink has taken. @param pauseSeconds until it is due again; undefined: the holder goes on under its lease */
export async function recordDelivery(
  db: Database,
  sink: SinkKey,
  { position, delivered, missed }: Delivered,
  pauseSeconds: number | undefined,
): Promise<SinkRow | undefined> {
  return await held(db, sink)
    .set((of) => ({
      position,
      delivered: of('delivered', '+', delivered),
      missed: of('missed', '+', missed),
      ...(delivered > 0 && { last_delivery_at: clock }),
      ...working,
      ...(pauseSeconds !== undefined && { leased_until: null }),
      due_at: inSeconds(pauseSeconds ?? 0),
    }))
    .returningAll()
    .executeTakeFirst();
}

/** Records that a sink did not take what it was sent. @returns how it is then; undefined if it is not held any more */
export async function recordFailure(
  db: Database,
  sink: SinkKey,
  { reason, pauseSeconds }: { reason: string; pauseSeconds: number },
): Promise<SinkRow | undefined> {
  return await held(db, sink)
    .set((of) => ({
      failures: of('failures', '+', 1),
      failing_since: of.fn.coalesce('failing_since', clock),
      last_error: reason,
      last_error_at: clock,
      leased_until: null,
      due_at: inSeconds(pauseSeconds),
    }))
    .returningAll()
    .executeTakeFirst();
}

export async function markFailureReported(db: Database, sink: SinkKey): Promise<void> {
  await held(db, sink).set({ failure_reported: true }).execute();
}

/** Gives back a sink that nothing was sent to. */
export async function releaseSink(db: Database, sink: SinkKey): Promise<void> {
  await held(db, sink).set({ leased_until: null }).execute();
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

import type { TenantId } from '@sluice/contracts';
import type { Database } from '@sluice/main-store/database';
import { bigint, nullable, table, text, time, type RowOf } from '@sluice/main-store/columns';

export const PaymentWork = table('payment_work', {
  kind: text<'intent' | 'invoice' | 'card' | 'detach'>({ primary: true }),
  subject: text({ primary: true }),
  tenant_id: bigint<TenantId>(),
  due_at: time(),
  requests: bigint(),
  fence: bigint(),
  leased_until: nullable(time()),
});
export type PaymentWorkRow = RowOf<typeof PaymentWork>;
export type PaymentTask = Pick<PaymentWorkRow, 'kind' | 'subject' | 'tenant_id'>;

/** Has something done at `due_at`, or earlier if it is due earlier. A run that is under way does not end it. */
export const requestWork = (db: Database, { kind, subject, tenant_id }: PaymentTask, due_at: Date) =>
  db.query(
    `INSERT INTO payment_work AS known (kind, subject, tenant_id, due_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (kind, subject) DO UPDATE SET due_at = least(known.due_at, $4), requests = known.requests + 1`,
    [kind, subject, tenant_id, due_at],
  );

/** The same for something that is known; what is not known is not begun. */
export const wakeWork = (db: Database, { kind, subject }: Omit<PaymentTask, 'tenant_id'>, due_at: Date) =>
  db.query(
    `UPDATE payment_work SET due_at = least(due_at, $3), requests = requests + 1 WHERE kind = $1 AND subject = $2`,
    [kind, subject, due_at],
  );

/** Leases what is due at `now` and what no replica holds. Leases end by the database's clock. */
export const leaseWork = (db: Database, now: Date, leaseSeconds: number, limit: number) =>
  db.query<PaymentWorkRow>(
    `WITH due AS (
       SELECT kind, subject FROM payment_work
       WHERE due_at <= $1 AND (leased_until IS NULL OR leased_until <= clock_timestamp())
       ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
     UPDATE payment_work AS work
     SET fence = fence + 1, leased_until = clock_timestamp() + make_interval(secs => $2)
     FROM due WHERE work.kind = due.kind AND work.subject = due.subject RETURNING work.*`,
    [now, leaseSeconds, limit],
  );

/** Extends leases. @returns those that are still held */
export async function renewWork(db: Database, held: readonly PaymentWorkRow[], leaseSeconds: number) {
  const rows = await db.query<PaymentTask>(
    `UPDATE payment_work AS work SET leased_until = clock_timestamp() + make_interval(secs => $4)
     FROM unnest($1::text[], $2::text[], $3::bigint[]) AS held (kind, subject, fence)
     WHERE work.kind = held.kind AND work.subject = held.subject AND work.fence = held.fence
       AND leased_until IS NOT NULL
     RETURNING work.kind, work.subject`,
    [
      held.map(({ kind }) => kind),
      held.map(({ subject }) => subject),
      held.map(({ fence }) => fence),
      leaseSeconds,
    ],
  );
  const keys = new Set(rows.map(({ kind, subject }) => `${kind} ${subject}`));
  return held.filter(({ kind, subject }) => keys.has(`${kind} ${subject}`));
}

/** Ends work, or puts it off until `due_at`, unless it was requested again meanwhile: then it stays due. */
export async function finishWork(db: Database, work: PaymentWorkRow, due_at: Date | null): Promise<void> {
  const { kind, subject, fence, requests } = work;
  const [ended] = await db.query(
    due_at === null
      ? 'DELETE FROM payment_work WHERE kind = $1 AND subject = $2 AND fence = $3 AND requests = $4 RETURNING 1'
      : `UPDATE payment_work SET due_at = $5, leased_until = NULL
         WHERE kind = $1 AND subject = $2 AND fence = $3 AND requests = $4 RETURNING 1`,
    [kind, subject, fence, requests, ...(due_at === null ? [] : [due_at])],
  );
  if (!ended) await db.manager.update(PaymentWork, { kind, subject, fence }, { leased_until: null });
}

const PaymentEvent = table('payment_events', {
  provider: text({ primary: true }),
  id: text({ primary: true }),
  received_at: time({ createDate: true }),
});

/** Records an event of a provider. @returns false for one that was taken before */
export async function takeEvent(db: Database, provider: string, id: string): Promise<boolean> {
  const taking = db.manager.createQueryBuilder().insert().into(PaymentEvent).values({ provider, id });
  const taken = await taking.orIgnore().returning('id').execute();
  return (taken.raw as unknown[]).length > 0;
}

import type { TenantId } from '@sluice/contracts';
import type { Database } from '@sluice/main-store/database';
import { bigint, boolean, integer, table, time } from '@sluice/main-store/columns';
import { existing, firstOf } from '@sluice/main-store/rows';

/** What of a deployment's usage in a month is invoiced. */
table('usage_months', {
  billed_id: bigint<number>({ primary: true }),
  month: time({ primary: true }),
  closings: integer({ default: 0 }),
  open: boolean({ default: true }),
  /** open, and too little for an invoice of its own */
  carried: boolean({ default: false }),
});

/**
 * Has the next invoice take usage of a deployment's month. The row stays locked, so that no invoice is made meanwhile.
 * @returns of which closing the usage is
 */
export async function openMonth(tx: Database, billedId: number, month: Date): Promise<number> {
  const { closings } = await existing(
    firstOf(
      tx.query<{ closings: number }>(
        `INSERT INTO usage_months (billed_id, month) VALUES ($1, $2)
         ON CONFLICT (billed_id, month) DO UPDATE SET open = true, carried = false RETURNING closings`,
        [billedId, month],
      ),
    ),
  );
  return closings;
}

export interface MonthToInvoice {
  tenant_id: TenantId;
  month: Date;
}

/**
 * The next month of each tenant that can be invoiced: the first with usage behind its last invoice. Where usage has come late for months
 * with an invoice alone, that is the last month.
 * @param lastMonth the first moment of the last month that is over
 */
export const listMonthsToInvoice = (db: Database, lastMonth: Date) =>
  db.query<MonthToInvoice>(
    `SELECT o.tenant_id, coalesce(min(o.month) FILTER (WHERE o.month > i.month OR i.month IS NULL), $1) AS month
     FROM (SELECT DISTINCT b.tenant_id, m.month FROM usage_months m JOIN billed_deployments b ON b.id = m.billed_id
           WHERE m.open AND NOT m.carried AND m.month <= $1) o
     LEFT JOIN LATERAL (SELECT max(month) AS month FROM invoices WHERE tenant_id = o.tenant_id) i ON true
     WHERE i.month IS NULL OR i.month < $1
     GROUP BY o.tenant_id, i.month ORDER BY o.tenant_id`,
    [lastMonth],
  );

/**
 * Locks the usage of a tenant that an invoice of a month is made of.
 * @returns the first month whose usage is carried to this one, or this one; undefined where there is no usage, or such an invoice already
 */
export async function lockOpenMonths(
  tx: Database,
  tenantId: TenantId,
  month: Date,
): Promise<Date | undefined> {
  const { count, carried } = await existing(
    firstOf(
      tx.query<{ count: number; carried: Date | null }>(
        `SELECT count(*), min(month) FILTER (WHERE carried) AS carried FROM (
           SELECT m.month, m.carried FROM usage_months m JOIN billed_deployments b ON b.id = m.billed_id
           WHERE b.tenant_id = $1 AND m.open AND m.month <= $2
             AND NOT EXISTS (SELECT FROM invoices i WHERE i.tenant_id = $1 AND i.month >= $2)
           ORDER BY m.billed_id, m.month FOR UPDATE OF m) locked`,
        [tenantId, month],
      ),
    ),
  );
  return count > 0 ? (carried ?? month) : undefined;
}

/** Leaves the usage of a tenant until the end of a month to the next invoice. */
export const carryMonths = (tx: Database, tenantId: TenantId, month: Date) =>
  tx.query(
    `UPDATE usage_months m SET carried = true FROM billed_deployments b
     WHERE b.id = m.billed_id AND b.tenant_id = $1 AND m.open AND m.month <= $2`,
    [tenantId, month],
  );

/** Records that the usage of a tenant until the end of a month is invoiced, by this invoice. What has no line is none of its. */
export const closeMonths = (tx: Database, invoiceId: number, tenantId: TenantId, month: Date) =>
  tx.query(
    `UPDATE usage_months m SET open = false, carried = false, closings = closings + CASE WHEN EXISTS (
         SELECT FROM invoice_lines l
         WHERE l.invoice_id = $3 AND l.billed_id = m.billed_id AND l.month = m.month AND l.closing = m.closings)
       THEN 1 ELSE 0 END
     FROM billed_deployments b
     WHERE b.id = m.billed_id AND b.tenant_id = $1 AND m.open AND m.month <= $2`,
    [tenantId, month, invoiceId],
  );

/** How many tenants have usage of months that were over by `before`, and no invoice of that month or a later one. */
export const countUnclosed = async (db: Database, before: Date): Promise<number> =>
  (
    await existing(
      firstOf(
        db.query<{ count: number }>(
          `SELECT count(DISTINCT b.tenant_id) FROM usage_months m JOIN billed_deployments b ON b.id = m.billed_id
           WHERE m.open AND NOT m.carried AND (m.month AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC' <= $1
             AND NOT EXISTS (SELECT FROM invoices i WHERE i.tenant_id = b.tenant_id AND i.month >= m.month)`,
          [before],
        ),
      ),
    )
  ).count;

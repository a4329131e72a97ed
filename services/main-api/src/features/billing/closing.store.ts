import { centSecondsPerDollar, costParts, type TenantId } from '@sluice/contracts';
import type { Database } from '@sluice/main-store/database';
import { existing, firstOf } from '@sluice/main-store/rows';
import { InvoiceLine, type InvoiceLineRow } from './invoices.store.ts';

/** Statements of the transaction that makes an invoice. */

/** One invoice of a tenant is made at a time, and its discounts stay as they are meanwhile. @returns false when another has it */
export async function lockBilling(tx: Database, tenantId: TenantId, wait: boolean): Promise<boolean> {
  const key = `hashtextextended('billing', $1::bigint)`;
  if (wait) {
    await tx.query(`SELECT pg_advisory_xact_lock(${key})`, [tenantId]);
    return true;
  }
  const taken = tx.query<{ taken: boolean }>(`SELECT pg_try_advisory_xact_lock(${key}) AS taken`, [tenantId]);
  return (await existing(firstOf(taken))).taken;
}

const nextId = `SELECT nextval(pg_get_serial_sequence('invoices', 'id')) AS id`;
export const newInvoiceId = async (tx: Database): Promise<number> =>
  (await existing(firstOf(tx.query<{ id: number }>(nextId)))).id;

const partNames = costParts.join(', ');
const ofThisClosing = `FILTER (WHERE u.closing = m.closings)`;
const partSums = costParts
  .map((part) => `coalesce(sum(seconds * u.${part}) ${ofThisClosing}, 0) AS ${part}`)
  .join(', ');

/**
 * Stores the lines of the usage that is not invoiced, those of `month` first. Each deployment is rounded once, half up, as in its report; what comes
 * late adds what the whole comes to beyond the lines before. What costs nothing has no line, and there are none at all when the sum is 0.
 */
export const insertUsageLines = (tx: Database, invoiceId: number, tenantId: TenantId, month: Date) =>
  tx.query(
    `WITH open AS (
       SELECT b.*, m.month, m.closings, u.*, round(u.cost / ${centSecondsPerDollar}, 2) - l.invoiced AS amount
       FROM billed_deployments b JOIN usage_months m ON m.billed_id = b.id AND m.open AND m.month <= $3
       CROSS JOIN LATERAL (
         SELECT sum(seconds * (${costParts.map((part) => `u.${part}`).join(' + ')})) AS cost,
           sum(seconds) ${ofThisClosing} AS seconds, ${partSums}
         FROM usage_intervals u, LATERAL (SELECT extract(epoch FROM u.ended_at - u.started_at) AS seconds) span
         WHERE u.billed_id = b.id AND u.started_at >= m.month
           AND u.started_at < (m.month AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC') u
       CROSS JOIN LATERAL (
         SELECT coalesce(sum(amount), 0) AS invoiced FROM invoice_lines WHERE billed_id = b.id AND month = m.month) l
       WHERE b.tenant_id = $2 AND u.cost > 0 AND u.seconds > 0)
     INSERT INTO invoice_lines (invoice_id, n, kind, month, amount, billed_id, closing, deployment_id, name, division_id,
       division_name, environment_id, environment_name, cloud, region, seconds, ${partNames})
     SELECT $1, row_number() OVER (ORDER BY month = $3 DESC, month, division_name, environment_name, name, id),
       CASE WHEN month = $3 THEN 'usage' ELSE 'correction' END, month, amount, id, closings, deployment_id, name, division_id,
       division_name, environment_id, environment_name, cloud, region, seconds, ${partNames}
     FROM open WHERE (SELECT sum(amount) FROM open) > 0`,
    [invoiceId, tenantId, month],
  );

/** What usage of a month has come to, and what was taken off it by a discount, in all invoices: exact decimals, as text. */
export interface Invoiced {
  month: Date;
  /** in this invoice */
  added: string;
  usage: string;
  discounted: string;
}

/** The same of each month that the invoice has lines of, and how many lines it has. */
export const listInvoiced = (tx: Database, invoiceId: number, tenantId: TenantId) =>
  tx.query<Invoiced & { lines: number }>(
    `WITH own AS (
       SELECT month, sum(amount) AS added, count(*) AS lines FROM invoice_lines WHERE invoice_id = $1 GROUP BY month)
     SELECT own.month, own.added, own.lines, own.added + coalesce(before.usage, 0) AS usage,
       coalesce(before.discounted, 0) AS discounted
     FROM own CROSS JOIN LATERAL (
       SELECT sum(l.amount) FILTER (WHERE l.kind <> 'discount') AS usage,
         -sum(l.amount) FILTER (WHERE l.kind = 'discount') AS discounted
       FROM invoices i JOIN invoice_lines l ON l.invoice_id = i.id AND l.month = own.month
       WHERE i.tenant_id = $2 AND i.month >= own.month) before
     ORDER BY own.month`,
    [invoiceId, tenantId],
  );

export const insertLines = (tx: Database, lines: Partial<InvoiceLineRow>[]) =>
  tx.manager.insert(InvoiceLine, lines);

/** The number after the last: no other invoice gets one until the transaction ends. */
export const takeNumber = async (tx: Database): Promise<number> =>
  (
    await existing(
      firstOf(tx.query<{ last: number }>('UPDATE invoice_numbers SET last = last + 1 RETURNING last')),
    )
  ).last;

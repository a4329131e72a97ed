import type { Sql } from '@sluice/service';
import { conflict, notFound } from '@sluice/terminal/errors';
import { untilDone } from './until-done.ts';

/** How tenants pay, in the database of main-api, which records it in their audit logs. */

interface Tenant {
  id: number;
  name: string;
  suspended_at: Date | null;
  suspension_sent: boolean;
}

interface Outcome {
  done: string;
  /** what is waited for once it is committed */
  confirm?: () => Promise<string | undefined>;
}

/** Does a change in a transaction, or says what would be done. @throws CliError when it cannot be done, saying why */
async function change(sql: Sql, isDry: boolean, run: () => Promise<Outcome>): Promise<string> {
  await sql.query('BEGIN');
  // a rejection closes the connection, and that ends the transaction
  const { done, confirm } = await run();
  await sql.query(isDry ? 'ROLLBACK' : 'COMMIT');
  if (isDry) return `It would be so: ${done}`;
  return [done, await confirm?.()].filter(Boolean).join('\n');
}

/** Has a tenant pay invoices so many days after their issue, and not by card. */
export const agree = (sql: Sql, tenantId: number, termDays: number, isDry: boolean): Promise<string> =>
  change(sql, isDry, async () => setAgreement(sql, await lockTenant(sql, tenantId), termDays));

export const endAgreement = (sql: Sql, tenantId: number, isDry: boolean): Promise<string> =>
  change(sql, isDry, async () => removeAgreement(sql, await lockTenant(sql, tenantId)));

/** Notes that an invoice was paid by transfer. @param reference such as INV-000042 */
export const markPaid = (sql: Sql, reference: string, isDry: boolean): Promise<string> =>
  change(sql, isDry, () => paidByTransfer(sql, reference));

/** Stops the deployments of a tenant, which keep their data, and lets it create none. */
export const suspend = (sql: Sql, tenantId: number, reason: string, isDry: boolean): Promise<string> =>
  change(sql, isDry, async () => suspended(sql, await lockTenant(sql, tenantId), reason));

export const resume = (sql: Sql, tenantId: number, isDry: boolean): Promise<string> =>
  change(sql, isDry, async () => resumed(sql, await lockTenant(sql, tenantId)));

async function lockTenant(sql: Sql, id: number): Promise<Tenant> {
  const [tenant] = await sql.query<Tenant>(
    'SELECT id, name, suspended_at, suspension_sent FROM tenants WHERE id = $1 FOR NO KEY UPDATE',
    [id],
  );
  if (!tenant) throw notFound(`There is no tenant ${id}.`);
  return tenant;
}

const record = (sql: Sql, tenantId: number, type: string, data: object) =>
  sql.query('INSERT INTO billing_changes (tenant_id, type, data) VALUES ($1, $2, $3)', [
    tenantId,
    type,
    JSON.stringify(data),
  ]);

async function setAgreement(sql: Sql, { id, name }: Tenant, days: number): Promise<Outcome> {
  // main-api has the provider forget a card that is replaced
  await sql.query(
    `INSERT INTO payment_work (kind, subject, tenant_id, due_at)
     SELECT 'detach', reference, tenant_id, now() FROM payment_methods WHERE tenant_id = $1 AND reference IS NOT NULL
     ON CONFLICT DO NOTHING`,
    [id],
  );
  await sql.query('DELETE FROM payment_methods WHERE tenant_id = $1', [id]);
  await sql.query("INSERT INTO payment_methods (tenant_id, kind, term_days) VALUES ($1, 'invoice', $2)", [
    id,
    days,
  ]);
  await record(sql, id, 'payment_method_updated', { kind: 'agreement', term_days: days });
  return {
    done: `Tenant ${id} (${name}) pays invoices within ${days} days; those that are issued keep their date.`,
  };
}

async function removeAgreement(sql: Sql, { id, name }: Tenant): Promise<Outcome> {
  const ended = await sql.query(
    "DELETE FROM payment_methods WHERE tenant_id = $1 AND kind = 'invoice' RETURNING 1",
    [id],
  );
  if (ended.length === 0) throw conflict(`Tenant ${id} (${name}) has no agreement.`);
  await record(sql, id, 'payment_method_deleted', { kind: 'agreement' });
  return { done: `Tenant ${id} (${name}) has no agreement any more.` };
}

interface Invoice {
  id: number;
  tenant_id: number;
  total: string;
  paid_at: Date | null;
}

async function paidByTransfer(sql: Sql, reference: string): Promise<Outcome> {
  const find = (lock: string) =>
    sql.query<Invoice>(`SELECT id, tenant_id, total, paid_at FROM invoices WHERE reference = $1 ${lock}`, [
      reference,
    ]);
  const [known] = await find('');
  if (!known) throw notFound(`There is no invoice ${reference}.`);
  // in the order in which main-api locks; the tenant may be gone
  await sql.query('SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE', [known.tenant_id]);
  const [{ id, tenant_id, total, paid_at } = known] = await find('FOR UPDATE');
  if (paid_at)
    return { done: `Invoice ${reference} is paid since ${paid_at.toISOString()}; nothing is changed.` };
  const [open] = await sql.query("SELECT FROM payment_charges WHERE invoice_id = $1 AND status = 'open'", [
    id,
  ]);
  if (open)
    throw conflict(`A charge of invoice ${reference} is under way: wait until main-api knows how it ends.`);
  await sql.query('UPDATE invoices SET paid_at = now() WHERE id = $1', [id]);
  await record(sql, tenant_id, 'invoice_paid', { invoice: reference, amount: total, by: 'transfer' });
  return { done: `Invoice ${reference} of tenant ${tenant_id}, $${total}, is paid by transfer.` };
}

async function suspended(sql: Sql, tenant: Tenant, reason: string): Promise<Outcome> {
  const { id, name, suspended_at } = tenant;
  if (suspended_at)
    return { done: `Tenant ${id} is suspended since ${suspended_at.toISOString()}; nothing is changed.` };
  return await send(sql, tenant, reason, `Tenant ${id} (${name}) is suspended, and creates nothing.`);
}

async function resumed(sql: Sql, tenant: Tenant): Promise<Outcome> {
  const { id, name, suspended_at } = tenant;
  if (!suspended_at) return { done: `Tenant ${id} is not suspended; nothing is changed.` };
  return await send(sql, tenant, null, `Tenant ${id} (${name}) is resumed.`);
}

async function send(
  sql: Sql,
  { id, suspension_sent }: Tenant,
  reason: string | null,
  done: string,
): Promise<Outcome> {
  if (!suspension_sent)
    throw conflict('main-api has not sent the change before yet: it does so when it runs.');
  await sql.query(
    `UPDATE tenants SET suspended_at = CASE WHEN $2::text IS NOT NULL THEN now() END, suspension_reason = $2, suspension_sent = false
     WHERE id = $1`,
    [id, reason],
  );
  await sql.query("SELECT pg_notify('suspensions', '')");
  const deployments = reason === null ? 'start again' : 'are stopped';
  const look = async () => {
    const [row] = await sql.query<Pick<Tenant, 'suspension_sent'>>(
      'SELECT suspension_sent FROM tenants WHERE id = $1',
      [id],
    );
    return row?.suspension_sent ?? true;
  };
  return {
    done,
    confirm: async () =>
      (await untilDone(look, (sent) => sent))
        ? `Its deployments ${deployments}.`
        : `main-api has not sent it to the regions yet; its deployments ${deployments} when it runs.`,
  };
}

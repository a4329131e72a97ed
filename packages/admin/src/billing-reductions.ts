import type { Sql } from '@sluice/service';
import { conflict, notFound } from '@sluice/terminal/errors';

/** What operators take off the invoices of a tenant. The row is in force at once; main-api records it in the tenant's audit log. */

export interface Credit {
  id: number;
  tenant_id: number;
  amount: string;
  used: string;
  left: string;
  expires_at: Date | null;
  withdrawn_at: Date | null;
  reason: string;
}

export interface CreditTerms {
  tenant: number;
  /** US dollars, at most two digits behind the point */
  amount: string;
  expires?: Date;
  reason: string;
}

/** Gives a credit, which later invoices use up. @returns what came of it @throws CliError when there is no such tenant */
export async function giveCredit(
  sql: Sql,
  { tenant, amount, expires, reason }: CreditTerms,
  isDry: boolean,
): Promise<string> {
  await begin(sql, tenant);
  const [credit] = await sql.query<Credit>(
    'INSERT INTO credits (tenant_id, amount, expires_at, reason) VALUES ($1, $2, $3, $4) RETURNING *',
    [tenant, amount, expires ?? null, reason],
  );
  await record(sql, tenant, 'credit_given', {
    ...{ credit_id: credit?.id, amount_usd: credit?.amount, reason },
    expires_at: expires?.toISOString() ?? null,
  });
  await end(sql, isDry);
  const ends = expires ? `, which expires at ${expires.toISOString()}` : '';
  return isDry
    ? `Tenant ${tenant} would get a credit of ${credit?.amount} USD${ends}.`
    : `Tenant ${tenant} gets a credit of ${credit?.amount} USD${ends}: credit ${credit?.id}.`;
}

export const listCredits = (sql: Sql, tenant: number): Promise<Credit[]> =>
  sql.query<Credit>(
    'SELECT *, amount - used AS left FROM credits WHERE tenant_id = $1 ORDER BY expires_at NULLS LAST, id',
    [tenant],
  );

/** Takes back what is left of a credit. @throws CliError when there is none */
export async function withdrawCredit(sql: Sql, id: number, isDry: boolean): Promise<string> {
  await sql.query('BEGIN');
  const [credit] = await sql.query<Credit>(
    'SELECT *, amount - used AS left FROM credits WHERE id = $1 FOR UPDATE',
    [id],
  );
  if (!credit) throw notFound(`There is no credit ${id}.`);
  if (credit.withdrawn_at) throw conflict(`Credit ${id} is withdrawn already.`);
  await sql.query('UPDATE credits SET withdrawn_at = now() WHERE id = $1', [id]);
  const { tenant_id, left, reason } = credit;
  await record(sql, tenant_id, 'credit_withdrawn', { credit_id: id, amount_usd: left, reason });
  await end(sql, isDry);
  return `Of credit ${id} of tenant ${tenant_id}, ${left} USD ${isDry ? 'would be' : 'are'} withdrawn.`;
}

export interface Discount {
  id: number;
  tenant_id: number;
  percent: string;
  valid_from: Date;
  valid_to: Date | null;
  reason: string;
}

export interface DiscountTerms {
  tenant: number;
  /** at most two digits behind the point */
  percent: string;
  /** the first moment of a month (UTC) */
  from: Date;
  /** likewise; undefined: for good */
  to?: Date;
  reason: string;
}

/** Gives a discount for whole months without an invoice. @throws CliError when there is another one then, or an invoice */
export async function giveDiscount(
  sql: Sql,
  { tenant, percent, from, to, reason }: DiscountTerms,
  isDry: boolean,
): Promise<string> {
  await begin(sql, tenant);
  await requireOpen(sql, tenant, from);
  const [other] = await sql.query(
    'SELECT FROM discounts WHERE tenant_id = $1 AND tstzrange(valid_from, valid_to) && tstzrange($2, $3)',
    [tenant, from, to ?? null],
  );
  if (other) throw conflict(`Tenant ${tenant} has a discount then: end it first.`);
  const [discount] = await sql.query<Discount>(
    `INSERT INTO discounts (tenant_id, percent, valid_from, valid_to, reason) VALUES ($1, $2, $3, $4, $5) RETURNING *`,
    [tenant, percent, from, to ?? null, reason],
  );
  if (discount) await record(sql, tenant, 'discount_given', dataOf(discount));
  await end(sql, isDry);
  const ends = to ? ` to ${to.toISOString()}` : '';
  return (
    `Tenant ${tenant} ${isDry ? 'would pay' : 'pays'} ${discount?.percent} % less from ${from.toISOString()}${ends}` +
    (isDry ? '.' : `: discount ${discount?.id}.`)
  );
}

export const listDiscounts = (sql: Sql, tenant: number): Promise<Discount[]> =>
  sql.query<Discount>('SELECT * FROM discounts WHERE tenant_id = $1 ORDER BY valid_from', [tenant]);

/**
 * Ends a discount with a month that has no invoice and is not its first: an invoice keeps the discount that it has.
 * @throws CliError when it cannot be ended then
 */
export async function endDiscount(sql: Sql, id: number, from: Date, isDry: boolean): Promise<string> {
  await sql.query('BEGIN');
  const [found] = await sql.query<Discount>('SELECT * FROM discounts WHERE id = $1', [id]);
  if (!found) throw notFound(`There is no discount ${id}.`);
  await lock(sql, found.tenant_id);
  await requireOpen(sql, found.tenant_id, from);
  const [ended] = await sql.query<Discount>(
    'UPDATE discounts SET valid_to = $2 WHERE id = $1 AND valid_from < $2 AND (valid_to IS NULL OR valid_to > $2) RETURNING *',
    [id, from],
  );
  if (!ended)
    throw conflict(`Discount ${id} is not valid in the month before ${from.toISOString()}, or ends there.`);
  await record(sql, ended.tenant_id, 'discount_ended', dataOf(ended));
  await end(sql, isDry);
  return `Discount ${id} of tenant ${ended.tenant_id} ${isDry ? 'would end' : 'ends'} at ${from.toISOString()}.`;
}

const dataOf = ({ id, percent, valid_from, valid_to, reason }: Discount) => ({
  ...{ discount_id: id, percent, reason, valid_from: valid_from.toISOString() },
  valid_to: valid_to?.toISOString() ?? null,
});

const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

async function requireOpen(sql: Sql, tenant: number, from: Date): Promise<void> {
  const [closed] = await sql.query<{ month: Date }>(
    'SELECT month FROM invoices WHERE tenant_id = $1 AND month >= $2 ORDER BY month DESC LIMIT 1',
    [tenant, from],
  );
  if (closed)
    throw conflict(
      `Tenant ${tenant} has an invoice of ${monthFormat.format(closed.month)}: give a credit for what was.`,
    );
}

/** A rejection closes the connection, and that ends the transaction. */
async function begin(sql: Sql, tenant: number): Promise<void> {
  await sql.query('BEGIN');
  const [found] = await sql.query('SELECT FROM tenants WHERE id = $1', [tenant]);
  if (!found) throw notFound(`There is no tenant ${tenant}.`);
  await lock(sql, tenant);
}

/** No invoice of the tenant is made meanwhile. */
const lock = (sql: Sql, tenant: number) =>
  sql.query("SELECT pg_advisory_xact_lock(hashtextextended('billing', $1::bigint))", [tenant]);

const record = (sql: Sql, tenant: number, type: string, data: object) =>
  sql.query('INSERT INTO billing_changes (tenant_id, type, data) VALUES ($1, $2, $3)', [
    tenant,
    type,
    JSON.stringify(data),
  ]);

async function end(sql: Sql, isDry: boolean): Promise<void> {
  if (!isDry) await sql.query("SELECT pg_notify('billing_changes', '')");
  await sql.query(isDry ? 'ROLLBACK' : 'COMMIT');
}

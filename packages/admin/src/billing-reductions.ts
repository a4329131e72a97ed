import type { Sql } from '@sluice/service';
import { numbersOf, type AskedOf } from './arguments.ts';
import { alignedRows } from './table.ts';
import { UsageError } from './usage.ts';

/** What operators take off the invoices of a tenant. The row is in force at once; main-api records it in the tenant's audit log. */

type Asked = AskedOf<'billing'>;

export async function ofCredits(sql: Sql, asked: Asked): Promise<string> {
  const [what, ...names] = asked.names;
  if (what === 'give') return await giveCredit(sql, names, asked);
  if (what === 'list') return await listCredits(sql, names, asked);
  if (what === 'withdraw') return await withdrawCredit(sql, names, asked);
  throw new UsageError("'billing credit' has give, list and withdraw.");
}

export async function ofDiscounts(sql: Sql, asked: Asked): Promise<string> {
  const [what, ...names] = asked.names;
  if (what === 'give') return await giveDiscount(sql, names, asked);
  if (what === 'list') return await listDiscounts(sql, names, asked);
  if (what === 'end') return await endDiscount(sql, names, asked);
  throw new UsageError("'billing discount' has give, list and end.");
}

interface Credit {
  id: number;
  tenant_id: number;
  amount: string;
  used: string;
  left: string;
  expires_at: Date | null;
  withdrawn_at: Date | null;
  reason: string;
}

async function giveCredit(
  sql: Sql,
  [tenantText = '', amount = '', ...more]: string[],
  asked: Asked,
): Promise<string> {
  const tenant = await begin(sql, [tenantText, ...more], asked);
  const { expires = null, reason } = asked;
  if (!/^\d{1,10}(\.\d{1,2})?$/.test(amount) || Number(amount) <= 0 || Number(amount) > 1e9)
    throw new UsageError(
      `The amount is US dollars above 0 with at most two digits behind the point, up to 1000000000, and not '${amount}'.`,
    );
  const [credit] = await sql.query<Credit>(
    'INSERT INTO credits (tenant_id, amount, expires_at, reason) VALUES ($1, $2, $3, $4) RETURNING *',
    [tenant, amount, expires, required(reason)],
  );
  await record(sql, tenant, 'credit_given', {
    ...{ credit_id: credit?.id, amount_usd: credit?.amount, reason },
    expires_at: expires?.toISOString() ?? null,
  });
  await end(sql, asked);
  const ends = expires ? `, which expires at ${expires.toISOString()}` : '';
  return asked.dryRun
    ? `Tenant ${tenant} would get a credit of ${credit?.amount} USD${ends}.`
    : `Tenant ${tenant} gets a credit of ${credit?.amount} USD${ends}: credit ${credit?.id}.`;
}

async function listCredits(sql: Sql, names: string[], { json }: Asked): Promise<string> {
  const [tenant] = numbersOf(names, 1);
  const credits = await sql.query<Credit>(
    'SELECT *, amount - used AS left FROM credits WHERE tenant_id = $1 ORDER BY expires_at NULLS LAST, id',
    [tenant],
  );
  if (json) return JSON.stringify(credits, null, 2);
  if (credits.length === 0) return 'There are none.';
  return alignedRows(
    credits.map(({ id, amount, left, expires_at, withdrawn_at, reason }) => [
      ...[String(id), amount, `${left} left`, expires_at ? `until ${expires_at.toISOString()}` : 'for good'],
      withdrawn_at ? 'withdrawn' : '',
      reason,
    ]),
  );
}

async function withdrawCredit(sql: Sql, names: string[], asked: Asked): Promise<string> {
  const [id] = numbersOf(names, 1);
  await sql.query('BEGIN');
  const [credit] = await sql.query<Credit>(
    'SELECT *, amount - used AS left FROM credits WHERE id = $1 FOR UPDATE',
    [id],
  );
  if (!credit) throw new UsageError(`There is no credit ${id}.`);
  if (credit.withdrawn_at) throw new UsageError(`Credit ${id} is withdrawn already.`);
  await sql.query('UPDATE credits SET withdrawn_at = now() WHERE id = $1', [id]);
  const { tenant_id, left, reason } = credit;
  await record(sql, tenant_id, 'credit_withdrawn', { credit_id: id, amount_usd: left, reason });
  await end(sql, asked);
  return `Of credit ${id} of tenant ${tenant_id}, ${left} USD ${asked.dryRun ? 'would be' : 'are'} withdrawn.`;
}

interface Discount {
  id: number;
  tenant_id: number;
  percent: string;
  valid_from: Date;
  valid_to: Date | null;
  reason: string;
}

async function giveDiscount(
  sql: Sql,
  [tenantText = '', percent = '', ...more]: string[],
  asked: Asked,
): Promise<string> {
  const { from, to = null, reason } = asked;
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(percent) || Number(percent) <= 0 || Number(percent) > 100)
    throw new UsageError(
      `The discount is percent from 0.01 to 100, with at most two digits behind the point, and not '${percent}'.`,
    );
  if (!from) throw new UsageError('Say from when on: --from 2027-01-01T00:00:00Z.');
  for (const time of [from, to]) requireMonth(time);
  if (to && to <= from) throw new UsageError('--to has to be after --from.');
  const tenant = await begin(sql, [tenantText, ...more], asked);
  await requireOpen(sql, tenant, from);
  const [other] = await sql.query(
    'SELECT FROM discounts WHERE tenant_id = $1 AND tstzrange(valid_from, valid_to) && tstzrange($2, $3)',
    [tenant, from, to],
  );
  if (other) throw new UsageError(`Tenant ${tenant} has a discount then: end it first.`);
  const [discount] = await sql.query<Discount>(
    `INSERT INTO discounts (tenant_id, percent, valid_from, valid_to, reason) VALUES ($1, $2, $3, $4, $5) RETURNING *`,
    [tenant, percent, from, to, required(reason)],
  );
  if (discount) await record(sql, tenant, 'discount_given', dataOf(discount));
  await end(sql, asked);
  const ends = to ? ` to ${to.toISOString()}` : '';
  return (
    `Tenant ${tenant} ${asked.dryRun ? 'would pay' : 'pays'} ${discount?.percent} % less from ${from.toISOString()}${ends}` +
    (asked.dryRun ? '.' : `: discount ${discount?.id}.`)
  );
}

async function listDiscounts(sql: Sql, names: string[], { json }: Asked): Promise<string> {
  const [tenant] = numbersOf(names, 1);
  const discounts = await sql.query<Discount>(
    'SELECT * FROM discounts WHERE tenant_id = $1 ORDER BY valid_from',
    [tenant],
  );
  if (json) return JSON.stringify(discounts, null, 2);
  if (discounts.length === 0) return 'There are none.';
  return alignedRows(
    discounts.map(({ id, percent, valid_from, valid_to, reason }) => [
      ...[String(id), `${percent} %`, `from ${valid_from.toISOString()}`],
      valid_to ? `to ${valid_to.toISOString()}` : 'for good',
      reason,
    ]),
  );
}

/** From a month on that has no invoice, and that is not its first: an invoice keeps the discount that it has. */
async function endDiscount(sql: Sql, names: string[], asked: Asked): Promise<string> {
  const [id] = numbersOf(names, 1);
  const { from } = asked;
  if (!from) throw new UsageError('Say from when on there is none: --from 2027-01-01T00:00:00Z.');
  requireMonth(from);
  await sql.query('BEGIN');
  const [found] = await sql.query<Discount>('SELECT * FROM discounts WHERE id = $1', [id]);
  if (!found) throw new UsageError(`There is no discount ${id}.`);
  await lock(sql, found.tenant_id);
  await requireOpen(sql, found.tenant_id, from);
  const [ended] = await sql.query<Discount>(
    'UPDATE discounts SET valid_to = $2 WHERE id = $1 AND valid_from < $2 AND (valid_to IS NULL OR valid_to > $2) RETURNING *',
    [id, from],
  );
  if (!ended)
    throw new UsageError(
      `Discount ${id} is not valid in the month before ${from.toISOString()}, or ends there.`,
    );
  await record(sql, ended.tenant_id, 'discount_ended', dataOf(ended));
  await end(sql, asked);
  return `Discount ${id} of tenant ${ended.tenant_id} ${asked.dryRun ? 'would end' : 'ends'} at ${from.toISOString()}.`;
}

const dataOf = ({ id, percent, valid_from, valid_to, reason }: Discount) => ({
  ...{ discount_id: id, percent, reason, valid_from: valid_from.toISOString() },
  valid_to: valid_to?.toISOString() ?? null,
});

function required(reason: string | undefined): string {
  if (reason === undefined) throw new UsageError('Say why, for the audit log of the tenant: --reason.');
  return reason;
}

function requireMonth(time: Date | null): void {
  if (time && time.getTime() !== Date.UTC(time.getUTCFullYear(), time.getUTCMonth()))
    throw new UsageError(
      `A discount begins and ends at the first moment of a month (UTC), and not at ${time.toISOString()}.`,
    );
}

const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

async function requireOpen(sql: Sql, tenant: number, from: Date): Promise<void> {
  const [closed] = await sql.query<{ month: Date }>(
    'SELECT month FROM invoices WHERE tenant_id = $1 AND month >= $2 ORDER BY month DESC LIMIT 1',
    [tenant, from],
  );
  if (closed)
    throw new UsageError(
      `Tenant ${tenant} has an invoice of ${monthFormat.format(closed.month)}: give a credit for what was.`,
    );
}

/** A rejection closes the connection, and that ends the transaction. @returns the tenant that is named */
async function begin(sql: Sql, names: string[], { reason }: Asked): Promise<number> {
  const [tenant = 0] = numbersOf(names, 1);
  required(reason);
  await sql.query('BEGIN');
  const [found] = await sql.query('SELECT FROM tenants WHERE id = $1', [tenant]);
  if (!found) throw new UsageError(`There is no tenant ${tenant}.`);
  await lock(sql, tenant);
  return tenant;
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

async function end(sql: Sql, { dryRun }: Asked): Promise<void> {
  if (!dryRun) await sql.query("SELECT pg_notify('billing_changes', '')");
  await sql.query(dryRun ? 'ROLLBACK' : 'COMMIT');
}

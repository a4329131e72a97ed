import type { TenantId } from '@sluice/contracts';
import type { Database } from '@sluice/main-store/database';
import { findPaymentMethod } from '@sluice/main-store/payment-methods.store';
import { findTenant } from '@sluice/main-store/tenants.store';
import { getBillingInfo } from './billing-info.store.ts';
import {
  insertLines,
  insertUsageLines,
  listInvoiced,
  lockBilling,
  newInvoiceId,
  takeNumber,
} from './closing.store.ts';
import { findDiscount, lockCredits, setUsed } from './credits.store.ts';
import type { Missing } from '@sluice/billing/invoice';
import { insertInvoice, type InvoiceLineRow, type InvoiceRow } from './invoices.store.ts';
import { exact, shownCents, sumOf, toCents, zero, type Exact } from '@sluice/billing/money';
import { daysAfter, monthsAfter } from '@sluice/billing/months';
import type { InvoiceTerms } from '@sluice/billing/seller';
import { taxOf } from '@sluice/billing/tax';
import { carryMonths, closeMonths, lockOpenMonths, type MonthToInvoice } from './usage-months.store.ts';

type NewLine = Pick<InvoiceLineRow, 'kind' | 'month' | 'percent' | 'credit_id'> & { amount: Exact };
export type Draft = Omit<InvoiceRow, 'number' | 'reference' | 'issued_at' | 'due_at' | 'paid_at'>;

interface Closing extends MonthToInvoice {
  /** regions that have not reported all of the month */
  missing: Missing[];
  /** whether to wait for another invoice of the tenant that is being made */
  wait: boolean;
}

/**
 * Makes the invoice of a tenant's month but for its number: stores the lines, uses up credits, and closes the month. Usage that comes from now on
 * is the next invoice's. A tenant without an agreement has no invoice of less than a card can be charged: its usage is carried to the next one, with
 * the credits that are valid now.
 * @returns undefined when there is nothing to pay, too little, or nothing left to invoice
 */
export async function draftInvoice(
  tx: Database,
  { seller, vatRates, leastCharge }: InvoiceTerms,
  { tenant_id, month, missing, wait }: Closing,
): Promise<Draft | undefined> {
  if (!(await lockBilling(tx, tenant_id, wait))) return undefined;
  const since = await lockOpenMonths(tx, tenant_id, month);
  if (!since) return undefined;
  await tx.query('SAVEPOINT draft');
  const id = await newInvoiceId(tx);
  await insertUsageLines(tx, id, tenant_id, month);
  await closeMonths(tx, id, tenant_id, month);
  const invoiced = await listInvoiced(tx, id, tenant_id);
  if (invoiced.length === 0) return undefined;

  const subtotal = sumOf(invoiced.map(({ added }) => exact(added)));
  const discounts = await discountsOf(tx, tenant_id, invoiced);
  const discount = sumOf(discounts.map(({ amount }) => amount.neg()));
  const credits = await useCredits(tx, tenant_id, monthsAfter(since, 1), subtotal.minus(discount));
  const credit = sumOf(credits.map(({ amount }) => amount.neg()));
  const customer = await customerOf(tx, tenant_id);
  const tax = taxOf(seller, vatRates, customer);
  const net = subtotal.minus(discount).minus(credit);
  const taxed = toCents(net.times(tax.rate).div(100));
  const total = net.plus(taxed);
  if (isTooLittle(total, leastCharge) && (await findPaymentMethod(tx, tenant_id))?.kind !== 'invoice') {
    await tx.query('ROLLBACK TO SAVEPOINT draft');
    await carryMonths(tx, tenant_id, month);
    return undefined;
  }
  const taxLine: NewLine = { ...noLine, kind: 'tax', percent: String(tax.rate), amount: taxed };

  const usageLines = invoiced.reduce((count, { lines }) => count + lines, 0);
  const lines = [...discounts, ...credits, taxLine];
  await insertLines(
    tx,
    lines.map((line, position) => ({
      ...line,
      ...{ invoice_id: id, n: usageLines + position + 1, amount: shownCents(line.amount) },
    })),
  );
  return {
    ...{ id, tenant_id, month, missing, seller, customer, currency: 'USD' },
    ...{ tax_rule: tax.rule, tax_country: tax.country, tax_rate: String(tax.rate) },
    ...{ subtotal: shownCents(subtotal), discount: shownCents(discount), credit: shownCents(credit) },
    ...{ tax: shownCents(taxed), total: shownCents(total) },
  };
}

/** More than nothing, and less than a card can be charged. */
const isTooLittle = (total: Exact, leastCharge: string) =>
  total.greaterThan(zero) && total.lessThan(leastCharge);

/** Gives the draft its number. Others wait for the next one until the transaction ends, so this is the last that it does. */
export async function issueInvoice(
  tx: Database,
  { prefix, termDays }: InvoiceTerms,
  draft: Draft,
  at: Date,
): Promise<InvoiceRow> {
  const number = await takeNumber(tx);
  const agreement = await findPaymentMethod(tx, draft.tenant_id);
  const days = agreement?.term_days ?? termDays;
  const invoice: InvoiceRow = {
    ...draft,
    ...{ number, reference: `${prefix}${String(number).padStart(6, '0')}` },
    ...{ issued_at: at, due_at: daysAfter(at, days), paid_at: exact(draft.total).isZero() ? at : null },
  };
  await insertInvoice(tx, invoice);
  return invoice;
}

const noLine = { month: null, percent: null, credit_id: null };

/** Per month, of all that was invoiced of it: late usage gets the discount that it would have had in time. */
async function discountsOf(
  tx: Database,
  tenantId: TenantId,
  months: Awaited<ReturnType<typeof listInvoiced>>,
): Promise<NewLine[]> {
  const lines: NewLine[] = [];
  for (const { month, usage, discounted } of months) {
    const discount = await findDiscount(tx, tenantId, month);
    if (!discount) continue;
    const whole = toCents(exact(usage).times(discount.percent).div(100));
    const amount = exact(discounted).minus(whole);
    if (amount.isNegative() && !amount.isZero())
      lines.push({ ...noLine, kind: 'discount', month, percent: discount.percent, amount });
  }
  return lines;
}

async function useCredits(tx: Database, tenantId: TenantId, at: Date, owed: Exact): Promise<NewLine[]> {
  const lines: NewLine[] = [];
  let left = owed;
  for (const { id, amount, used } of await lockCredits(tx, tenantId, at)) {
    if (!left.greaterThan(zero)) break;
    const remaining = exact(amount).minus(used);
    const use = remaining.lessThan(left) ? remaining : left;
    left = left.minus(use);
    await setUsed(tx, id, shownCents(exact(used).plus(use)));
    lines.push({ ...noLine, kind: 'credit', credit_id: id, amount: use.neg() });
  }
  return lines;
}

/** A tenant without billing information is named, as long as it is there. */
async function customerOf(tx: Database, tenantId: TenantId) {
  const info = await getBillingInfo(tx, tenantId);
  if (info.name !== null || info.company !== null) return info;
  const tenant = await findTenant(tx, tenantId);
  return { ...info, name: tenant?.name ?? `Tenant ${tenantId}` };
}

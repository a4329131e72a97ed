import { monthlyCentsOf, type TenantId } from '@sluice/contracts';
import { problem } from '@sluice/service';
import { priceOf, type Sized } from '@sluice/catalogue/deployment-prices';
import type { Core } from '../../core.ts';
import type { Database, Transaction } from '@sluice/main-store/database';
import type { TenantTerms } from '@sluice/main-store/tenants.store';
import { balanceOf } from '../billing/invoices.store.ts';
import { shownCents, zero, type Exact } from '@sluice/billing/money';
import { overdueAmountOf } from './collections.store.ts';
import { findPaymentMethod, validPaymentMethodExists } from '@sluice/main-store/payment-methods.store';
import { uninvoicedOf } from './uninvoiced.store.ts';

type Terms = Pick<Core, 'paymentRequired' | 'now'>;

/** Whether a tenant has a valid card or an invoice agreement (interface, 2.1). Where none is required, all have an agreement. */
export const hasPaymentMethod = async (db: Database, { paymentRequired, now }: Terms, tenantId: TenantId) =>
  !paymentRequired || (await validPaymentMethodExists(db, tenantId, now()));

/** What everything but the tier free needs (interface, 1.5). @throws Problem `payment_method_required` */
export async function requirePaymentMethod(tx: Transaction, terms: Terms, tenantId: TenantId): Promise<void> {
  if (!(await hasPaymentMethod(tx, terms, tenantId))) throw problem('payment_method_required');
}

/**
 * What everything new, and every change to a higher price, needs of a locked tenant.
 * @throws Problem `tenant_suspended`; `payment_overdue` with the amount
 */
export async function requireGoodStanding(
  tx: Transaction,
  { id, suspended_at, suspension_reason }: TenantTerms,
): Promise<void> {
  if (suspended_at !== null)
    throw problem('tenant_suspended', {
      detail: `The operator has suspended the tenant: ${suspension_reason ?? 'no reason is given'}.`,
    });
  const overdue = await overdueAmountOf(tx, id);
  if (overdue.gt(0)) throw owed('payment_overdue', overdue);
}

/** The same for a change of a deployment, unless its price stays or falls. */
export async function requireStandingFor(
  tx: Transaction,
  { prices }: Pick<Core, 'prices'>,
  tenant: TenantTerms,
  before: Sized,
  after: Sized,
): Promise<void> {
  const [valid] = prices.since(tenant.id);
  const centsOf = (deployment: Sized) => {
    const price = valid && priceOf(valid.list, deployment);
    return price ? monthlyCentsOf(price) : 0;
  };
  if (centsOf(after) > centsOf(before)) await requireGoodStanding(tx, tenant);
}

/**
 * What the deletion of a locked tenant needs (interface, 4.4). A tenant that has no payment method, where none is required, owes nothing, and
 * neither does one that owes less than a card can be charged; one with an agreement gets its last invoice after its deletion.
 * @throws Problem `billing_not_settled` with the amount that is invoiced and not paid, and that of usage without an invoice
 */
export async function requireSettled(
  tx: Transaction,
  {
    paymentRequired,
    invoicing,
    paymentProvider,
  }: Pick<Core, 'paymentRequired' | 'invoicing' | 'paymentProvider'>,
  tenantId: TenantId,
): Promise<void> {
  const method = await findPaymentMethod(tx, tenantId);
  if (!method && !paymentRequired) return;
  const invoiced = await balanceOf(tx, tenantId);
  const isLater = !invoicing || method?.kind === 'invoice';
  const uninvoiced = isLater ? zero : await uninvoicedOf(tx, tenantId);
  if (invoiced.lte(0) && uninvoiced.lte(0)) return;
  // no card can be charged it
  const isTooLittle = invoiced.plus(uninvoiced).lt(paymentProvider?.leastCharge ?? 0);
  if (isTooLittle && method?.kind !== 'invoice') return;
  throw owed('billing_not_settled', invoiced.plus(uninvoiced), {
    invoiced_usd: shownCents(invoiced),
    not_invoiced_usd: shownCents(uninvoiced),
  });
}

/** A refusal that says how much is owed. */
export const owed = (
  code: 'payment_overdue' | 'billing_not_settled',
  amount: Exact,
  more: Record<string, string> = {},
) =>
  problem(code, {
    detail:
      code === 'payment_overdue'
        ? `Invoices of $${shownCents(amount)} are overdue; what costs more has to wait until they are paid.`
        : `The tenant owes $${shownCents(amount)}: pay its invoices; usage without an invoice is invoiced after its month.`,
    extensions: { amount_usd: shownCents(amount), ...more },
  });

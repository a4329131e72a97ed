import { randomUUID } from 'node:crypto';
import { consoleLink, type EventData, type TenantId } from '@sluice/contracts';
import { system } from '@sluice/service';
import type { Core } from '../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import { sendMail } from '../../mails/mails.ts';
import { getTenant, lockTenants } from '@sluice/main-store/tenants.store';
import { getBillingInfo } from '../billing/billing-info.store.ts';
import { markPaid, type InvoiceRow } from '../billing/invoices.store.ts';
import { daysAfter } from '@sluice/billing/months';
import {
  beginCollection,
  countCharges,
  findOpenCharge,
  insertCharge,
  lockInvoice,
  settleCharge,
  updateCollection,
  type ChargeRow,
  type CollectionRow,
} from './collections.store.ts';
import { findPaymentMethod } from '@sluice/main-store/payment-methods.store';
import type { ChargeState, PaymentProvider } from '@sluice/payments/payment-provider';

type Parts = Pick<Core, 'work' | 'now' | 'mailCipher' | 'consoleUrl' | 'paymentProvider' | 'paymentRequired'>;

/** days after the first failure of a card after which it is charged again */
const retryDays = [1, 3, 7];
const hourMilliseconds = 3_600_000;

interface Attempt {
  invoice: InvoiceRow;
  charge: ChargeRow;
  provider: PaymentProvider;
}
type Step = { attempt: Attempt } | { lookAgainAt: Date | null };

/**
 * Collects what is owed for an issued invoice, one step at a time: charges the card, or waits until the invoice is due. The attempt is
 * stored and looked up before the call, so that neither a lost answer nor a restored database leads to a second charge.
 * @returns when to look again; null: there is nothing left to collect
 */
export async function collect(parts: Parts, invoiceId: number, tenantId: TenantId): Promise<Date | null> {
  const step = await parts.work(system, (tx) => nextStep(tx, parts, invoiceId, tenantId));
  if ('lookAgainAt' in step) return step.lookAgainAt;
  const { attempt } = step;
  const state = await outcomeOf(attempt);
  return await parts.work(system, (tx) => settle(tx, parts, attempt, state));
}

async function nextStep(tx: Transaction, parts: Parts, invoiceId: number, tenantId: TenantId): Promise<Step> {
  const { now, paymentProvider: provider, paymentRequired } = parts;
  const never: Step = { lookAgainAt: null };
  if ((await lockTenants(tx, [tenantId])).length === 0) return never;
  const invoice = await lockInvoice(tx, invoiceId);
  if (!invoice || invoice.paid_at) return never;
  const open = await findOpenCharge(tx, invoiceId);
  if (open)
    return provider?.name === open.provider
      ? { attempt: { invoice, charge: open, provider } }
      : { lookAgainAt: daysAfter(now(), 1) };
  const collection = await beginCollection(tx, invoiceId, tenantId);
  const method = await findPaymentMethod(tx, tenantId);
  const isValid = method && (method.valid_to === null || method.valid_to > now());
  const { customer = null, reference = null } = method ?? {};
  if (isValid && provider?.name === method.provider && customer !== null && reference !== null) {
    const due = nextAttempt(collection);
    if (due === null || due > now()) return { lookAgainAt: due ?? daysAfter(now(), 1) };
    const charge = await insertCharge(tx, {
      ...{ id: randomUUID(), tenant_id: tenantId, invoice_id: invoiceId },
      attempt: (await countCharges(tx, invoiceId)) + 1,
      ...{ provider: provider.name, customer, method: reference, created_at: now() },
    });
    return { attempt: { invoice, charge, provider } };
  }
  if (!method && !paymentRequired) return { lookAgainAt: daysAfter(now(), 1) };
  if (invoice.due_at > now()) return { lookAgainAt: invoice.due_at };
  await markOverdue(tx, parts, invoice, collection);
  return { lookAgainAt: daysAfter(now(), 1) };
}

/** When a card is charged next; null: not any more. */
function nextAttempt({ failures, first_failed_at: first }: CollectionRow): Date | null {
  if (failures === 0 || !first) return new Date(0);
  const days = retryDays[failures - 1];
  return days === undefined ? null : daysAfter(first, days);
}

async function outcomeOf({ invoice, charge, provider }: Attempt): Promise<ChargeState> {
  const request = {
    ...{ id: charge.id, customer: charge.customer, method: charge.method, invoice_id: invoice.id },
    ...{ amount: invoice.total, currency: invoice.currency, description: `Invoice ${invoice.reference}` },
  };
  const known = await provider.findCharge(request, charge.reference, invoice.issued_at);
  return known ?? (await provider.charge(request));
}

async function settle(
  tx: Transaction,
  parts: Parts,
  { invoice, charge }: Attempt,
  { reference, status, failure }: ChargeState,
): Promise<Date | null> {
  const { tenant_id, id: invoiceId } = invoice;
  const now = parts.now();
  await lockTenants(tx, [tenant_id]);
  const ended_at = status === 'open' ? null : now;
  const isNews = await settleCharge(tx, charge.id, { reference, status, failure, ended_at });
  if (status === 'open') return new Date(now.getTime() + hourMilliseconds);
  if (!isNews) return now;
  if (status === 'succeeded') {
    await markPaid(tx, invoiceId, now);
    tx.emit('invoice_paid', { tenant_id }, { ...amountOf(invoice), by: 'card' });
    return null;
  }
  const before = await beginCollection(tx, invoiceId, tenant_id);
  const collection = {
    ...before,
    failures: before.failures + 1,
    first_failed_at: before.first_failed_at ?? now,
  };
  await updateCollection(tx, invoiceId, collection);
  const next = nextAttempt(collection);
  const reason = (failure ?? 'refused').replaceAll('_', ' ');
  await tell(tx, parts, 'payment_failed', invoice, { reason, next_attempt_at: next?.toISOString() ?? null });
  if (next) return next;
  await markOverdue(tx, parts, invoice, collection);
  return daysAfter(now, 1);
}

async function markOverdue(
  tx: Transaction,
  parts: Parts,
  invoice: InvoiceRow,
  { overdue_at }: CollectionRow,
): Promise<void> {
  if (overdue_at !== null) return;
  await updateCollection(tx, invoice.id, { overdue_at: parts.now() });
  await tell(tx, parts, 'payment_overdue', invoice, {});
}

const amountOf = ({ reference, total }: InvoiceRow) => ({ invoice: reference, amount: total });

/** Tells channels and the audit log, and by mail those to whom the tenant's invoices go. */
async function tell<Type extends 'payment_failed' | 'payment_overdue'>(
  tx: Transaction,
  { mailCipher, consoleUrl }: Pick<Core, 'mailCipher' | 'consoleUrl'>,
  type: Type,
  invoice: InvoiceRow,
  more: Omit<EventData<Type>, 'invoice' | 'amount'>,
): Promise<void> {
  const { tenant_id } = invoice;
  const data = { ...amountOf(invoice), ...more } as EventData<Type>;
  tx.emit(type, { tenant_id }, data);
  const { name: tenant, email } = await getTenant(tx, tenant_id);
  const to = (await getBillingInfo(tx, tenant_id)).email ?? email;
  const url = consoleLink(consoleUrl, 'payment', { tenant: tenant_id });
  await sendMail(tx, mailCipher, type, to, { tenant, ...data, url } as never, { tenant_id });
}

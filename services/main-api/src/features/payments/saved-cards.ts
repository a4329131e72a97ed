import type { TenantId } from '@sluice/contracts';
import { system } from '@sluice/service';
import type { Core } from '../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import { lockTenants } from '@sluice/main-store/tenants.store';
import { listOpenInvoices } from '../billing/invoices.store.ts';
import { restartCollections } from './collections.store.ts';
import { endIntent, findIntent, lockIntent } from './payment-intents.store.ts';
import {
  cardExists,
  endCard,
  findPaymentMethod,
  putCard,
  takePaymentMethod,
  updateCard,
  type PaymentMethodRow,
} from '@sluice/main-store/payment-methods.store';
import { requestWork } from './payment-work.store.ts';
import type { Card, PaymentProvider } from '@sluice/payments/payment-provider';

type Parts = Pick<Core, 'database' | 'work' | 'now'>;

const hourMilliseconds = 3_600_000;

/** Looks what became of a page for a card. @returns when to look again; null: it has ended */
export async function lookUpIntent(
  { database, work, now }: Parts,
  provider: PaymentProvider,
  id: string,
): Promise<Date | null> {
  const intent = await findIntent(database, id);
  if (!intent || intent.ended_at || intent.provider !== provider.name) return null;
  const { reference, expires_at, tenant_id } = intent;
  // a replica that was killed has opened no page that is known
  const state =
    reference === null
      ? { status: expires_at > now() ? ('open' as const) : ('expired' as const) }
      : await provider.setupState(reference);
  if (state.status === 'open') return new Date(now().getTime() + hourMilliseconds);
  await work(system, async (tx) => {
    if ((await lockTenants(tx, [tenant_id])).length === 0) return;
    const locked = await lockIntent(tx, id);
    if (!locked || locked.ended_at) return;
    await endIntent(tx, id, now());
    if (state.status === 'completed') await saveCard(tx, tenant_id, provider.name, state.card, now());
  });
  return null;
}

/** Makes a card the payment method of a locked tenant, and has all that is owed charged to it. */
async function saveCard(
  tx: Transaction,
  tenant_id: TenantId,
  provider: string,
  card: Card,
  now: Date,
): Promise<void> {
  const before = await findPaymentMethod(tx, tenant_id);
  const forget = (subject: string) => requestWork(tx, { kind: 'detach', subject, tenant_id }, now);
  // the operator has made an agreement meanwhile
  if (before?.kind === 'invoice' && isValid(before, now)) return void (await forget(card.reference));
  if (before?.reference && before.reference !== card.reference) await forget(before.reference);
  await putCard(tx, tenant_id, provider, card);
  const { brand, last4 } = card;
  tx.emit('payment_method_updated', { tenant_id }, { kind: 'card', brand, last4 });
  const open = await listOpenInvoices(tx, tenant_id);
  await restartCollections(
    tx,
    open.map(({ id }) => id),
  );
  for (const { id } of open) await requestWork(tx, { kind: 'invoice', subject: String(id), tenant_id }, now);
}

/** Has the provider forget the card of a tenant that is deleted. */
export async function forgetCard(tx: Transaction, tenant_id: TenantId, now: Date): Promise<void> {
  for (const { reference } of await takePaymentMethod(tx, tenant_id))
    if (reference !== null) await requestWork(tx, { kind: 'detach', subject: reference, tenant_id }, now);
}

export const isValid = ({ valid_to }: Pick<PaymentMethodRow, 'valid_to'>, now: Date) =>
  valid_to === null || valid_to > now;

/** Looks whether a card is still there, and until when it is valid. */
export async function refreshCard(
  { database, now }: Parts,
  provider: PaymentProvider,
  reference: string,
): Promise<null> {
  const card = await provider.findCard(reference);
  if (card) await updateCard(database, provider.name, card);
  else await endCard(database, provider.name, reference, now());
  return null;
}

/** Has the provider forget a card that no tenant has any more. */
export async function detachCard(
  { database }: Parts,
  provider: PaymentProvider,
  reference: string,
): Promise<null> {
  if (!(await cardExists(database, provider.name, reference))) await provider.detach(reference);
  return null;
}

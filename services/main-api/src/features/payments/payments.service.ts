import { randomUUID } from 'node:crypto';
import type { Caller } from '@sluice/grants';
import { problem, type Log } from '@sluice/service';
import type { Core } from '../../core.ts';
import { countByTier } from '@sluice/main-store/deployments.store';
import { getTenant, lockTenant, type TenantPath } from '@sluice/main-store/tenants.store';
import { balanceOf } from '../billing/invoices.store.ts';
import { countOpenIntents, endIntent, insertIntent, openIntent } from './payment-intents.store.ts';
import {
  findPaymentMethod,
  takePaymentMethod,
  type PaymentMethodRow,
} from '@sluice/main-store/payment-methods.store';
import { requestWork } from './payment-work.store.ts';
import { isValid } from './saved-cards.ts';
import { owed } from './standing.ts';

export type PaymentsService = ReturnType<typeof paymentsService>;

/** pages for a card that a tenant may have open, and for how long one is */
const mostOpenIntents = 5;
const intentMilliseconds = 3_600_000;

/** How a tenant pays (completions, "Billing"). */
export function paymentsService(core: Core, log: Log) {
  const { database, work, now, paymentProvider: provider, paymentReturnUrl, paymentRequired } = core;
  return {
    /** Opens a page of the payment provider on which a card can be saved. */
    async createIntent(caller: Caller, { tenant_id }: TenantPath) {
      if (!provider) throw problem('payments_not_available');
      const id = randomUUID();
      const expires_at = new Date(now().getTime() + intentMilliseconds);
      const email = await work(caller, async (tx) => {
        await lockTenant(tx, tenant_id);
        const method = await findPaymentMethod(tx, tenant_id);
        if (method?.kind === 'invoice' && isValid(method, now()))
          throw problem('state_conflict', { detail: 'The tenant pays by an agreement with the operator.' });
        if ((await countOpenIntents(tx, tenant_id)) >= mostOpenIntents)
          throw problem('too_many_payment_intents');
        await insertIntent(tx, { id, tenant_id, provider: provider.name, expires_at });
        await requestWork(tx, { kind: 'intent', subject: id, tenant_id }, expires_at);
        tx.emit('payment_intent_created', { tenant_id }, { expires_at: expires_at.toISOString() });
        return (await getTenant(tx, tenant_id)).email;
      });
      try {
        const setup = { id, tenant_id, email, returnUrl: paymentReturnUrl, expires_at };
        const { reference, url, expires_at: end } = await provider.openSetup(setup);
        await openIntent(database, id, { reference, expires_at: end });
        return { id, url, expires_at: end };
      } catch (error) {
        await endIntent(database, id, now());
        log.warn('the payment provider has opened no page for a card', { error });
        throw problem('unavailable', { detail: 'The payment provider does not answer.' });
      }
    },

    /** @throws Problem `not_found` when there is none */
    async method({ tenant_id }: TenantPath): Promise<ShownMethod> {
      const method = await findPaymentMethod(database, tenant_id);
      if (method) return { ...shownOf(method), valid: isValid(method, now()) };
      if (paymentRequired) throw problem('not_found');
      return { kind: 'agreement', card: null, term_days: null, valid: true };
    },

    /** Forgets the card of a tenant that owes nothing. An agreement is ended by the operator. */
    deleteMethod: (caller: Caller, { tenant_id }: TenantPath) =>
      work(caller, async (tx) => {
        await lockTenant(tx, tenant_id);
        const method = await findPaymentMethod(tx, tenant_id);
        if (!method) throw problem('not_found');
        if (method.kind === 'invoice')
          throw problem('state_conflict', { detail: 'An agreement is ended by the operator.' });
        const balance = await balanceOf(tx, tenant_id);
        if (balance.gt(0)) throw owed('billing_not_settled', balance);
        if (
          paymentRequired &&
          [...(await countByTier(tx, tenant_id))].some(([tier, n]) => tier !== 'free' && n > 0)
        )
          throw problem('has_deployments', {
            detail: 'Deployments of other tiers than free need a payment method: delete them first.',
          });
        await takePaymentMethod(tx, tenant_id);
        if (method.reference)
          await requestWork(tx, { kind: 'detach', subject: method.reference, tenant_id }, now());
        tx.emit('payment_method_deleted', { tenant_id }, eventOf(method));
      }),
  };
}

interface ShownMethod {
  kind: 'card' | 'agreement';
  card: { brand: string; last4: string; exp_month: number; exp_year: number } | null;
  term_days: number | null;
  /** whether it can be used now */
  valid: boolean;
}

function shownOf(method: PaymentMethodRow): Omit<ShownMethod, 'valid'> {
  const { kind, brand, last4, exp_month, exp_year, term_days } = method;
  if (kind === 'invoice') return { kind: 'agreement', card: null, term_days };
  const card = {
    brand: brand ?? 'unknown',
    last4: last4 ?? '',
    exp_month: exp_month ?? 0,
    exp_year: exp_year ?? 0,
  };
  return { kind, card, term_days: null };
}

const eventOf = ({ kind, brand, last4 }: PaymentMethodRow) => ({
  kind: kind === 'card' ? ('card' as const) : ('agreement' as const),
  ...(brand !== null && { brand }),
  ...(last4 !== null && { last4 }),
});

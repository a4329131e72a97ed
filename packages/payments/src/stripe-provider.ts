import { Buffer } from 'node:buffer';
import Stripe from 'stripe';
import type { Card, ChargeState, PaymentProvider, ProviderEvent } from './payment-provider.ts';

export interface StripeSettings {
  name: 'stripe' | 'test';
  secretKey: string;
  /** during a rotation two */
  webhookSecrets: readonly string[];
  /** in place of Stripe's address, for a server that speaks its API */
  url?: string;
}

const timeoutMilliseconds = 20_000;
/** an older event is a replay */
const mostAgeSeconds = 300;
/** of charges in US dollars */
const leastCharge = '0.50';
/** how long before its invoice a charge may have been made by the clock of the provider */
const clockSkewSeconds = 3_600;

/** Stripe, by its library. Cards are entered on Checkout, in setup mode, and charged off session. */
export function stripeProvider({ name, secretKey, webhookSecrets, url }: StripeSettings): PaymentProvider {
  const stripe = new Stripe(secretKey, {
    timeout: timeoutMilliseconds,
    // a call whose outcome is unknown is looked up, and repeated under its lease
    maxNetworkRetries: 0,
    telemetry: false,
    ...(url !== undefined && addressOf(url)),
  });

  return {
    name,
    leastCharge,

    async openSetup({ id, tenant_id, email, returnUrl, expires_at }) {
      const metadata = { sluice_intent: id, sluice_tenant: String(tenant_id) };
      const customer = await stripe.customers.create(
        { email, metadata },
        { idempotencyKey: `customer-${id}` },
      );
      const session = await stripe.checkout.sessions.create(
        {
          ...{ mode: 'setup', customer: customer.id, currency: 'usd', metadata },
          ...{ success_url: returnUrl, cancel_url: returnUrl, payment_method_types: ['card'] },
          expires_at: Math.floor(expires_at.getTime() / 1000),
        },
        { idempotencyKey: `setup-${id}` },
      );
      if (session.url === null) throw new Error('the provider has opened no page');
      return { reference: session.id, url: session.url, expires_at: new Date(session.expires_at * 1000) };
    },

    async setupState(reference) {
      const session = await stripe.checkout.sessions.retrieve(reference, {
        expand: ['setup_intent.payment_method'],
      });
      if (session.status !== 'complete') return { status: session.status === 'expired' ? 'expired' : 'open' };
      const setup = session.setup_intent;
      const method = setup !== null && typeof setup === 'object' ? setup.payment_method : null;
      const card = method !== null && typeof method === 'object' ? cardOf(method) : undefined;
      // a card that was detached since then is none
      return card ? { status: 'completed', card } : { status: 'expired' };
    },

    async findCard(reference) {
      const method = await unlessMissing(stripe.paymentMethods.retrieve(reference));
      return method && cardOf(method);
    },

    async detach(reference) {
      const method = await unlessMissing(stripe.paymentMethods.retrieve(reference));
      if (method?.customer) await stripe.paymentMethods.detach(reference);
    },

    async charge({ id, customer, method, invoice_id, amount, currency, description }) {
      try {
        return stateOf(
          await stripe.paymentIntents.create(
            {
              ...{ customer, payment_method: method, off_session: true, confirm: true, description },
              amount: centsOf(amount),
              currency: currency.toLowerCase(),
              metadata: { sluice_charge: id, sluice_invoice: String(invoice_id) },
            },
            { idempotencyKey: id },
          ),
        );
      } catch (error) {
        const refused = refusalOf(error);
        if (refused) return refused;
        throw error;
      }
    },

    async findCharge({ id, customer, invoice_id, amount }, reference, since) {
      if (reference !== null) return stateOf(await stripe.paymentIntents.retrieve(reference));
      const gte = Math.floor(since.getTime() / 1000) - clockSkewSeconds;
      let same: ChargeState | undefined;
      // a list knows a charge at once; a search some time later
      for await (const intent of stripe.paymentIntents.list({ customer, created: { gte }, limit: 100 })) {
        const { sluice_charge: charge, sluice_invoice: invoice } = intent.metadata;
        const state = stateOf(intent);
        if (charge === id) return state;
        const isSame = invoice === String(invoice_id) && intent.amount === centsOf(amount);
        if (isSame && state.status !== 'failed') same = state;
      }
      return same;
    },

    readEvent(body, signature, now) {
      let refused: unknown;
      for (const secret of webhookSecrets)
        try {
          const at = now.getTime();
          return eventOf(
            stripe.webhooks.constructEvent(
              Buffer.from(body),
              signature,
              secret,
              mostAgeSeconds,
              undefined,
              at,
            ),
          );
        } catch (error) {
          refused = error;
        }
      // without what the library adds: the body, which may be anybody's
      throw new Error(refused instanceof Error ? refused.message.split('\n', 1)[0] : 'no secret is known');
    },
  };
}

function addressOf(url: string) {
  const { hostname, port, protocol } = new URL(url);
  return { host: hostname, port, protocol: protocol === 'https:' ? ('https' as const) : ('http' as const) };
}

const centsOf = (amount: string) => Number(amount.replace('.', ''));

function cardOf({ id, customer, card }: Stripe.PaymentMethod): Card | undefined {
  const owner = typeof customer === 'string' ? customer : customer?.id;
  if (owner === undefined || !card) return undefined;
  const { brand, last4, exp_month, exp_year } = card;
  return { customer: owner, reference: id, brand, last4, exp_month, exp_year };
}

function stateOf({ id, status, last_payment_error: error }: Stripe.PaymentIntent): ChargeState {
  if (status === 'succeeded') return { reference: id, status: 'succeeded', failure: null };
  // one without an error is being created
  if (status === 'canceled' || (status === 'requires_payment_method' && error))
    return { reference: id, status: 'failed', failure: error?.decline_code ?? error?.code ?? status };
  return { reference: id, status: 'open', failure: null };
}

/** A charge that the provider has refused for good; undefined where its outcome is unknown. */
function refusalOf(error: unknown): ChargeState | undefined {
  const { StripeCardError, StripeInvalidRequestError } = Stripe.errors;
  if (!(error instanceof StripeCardError || error instanceof StripeInvalidRequestError)) return undefined;
  const { payment_intent, decline_code, code } = error;
  return {
    reference: payment_intent?.id ?? null,
    status: 'failed',
    failure: decline_code ?? code ?? 'card_declined',
  };
}

async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing')
      return undefined;
    throw error;
  }
}

function eventOf({ id, type, data }: Stripe.Event): ProviderEvent {
  const about = data.object as { id?: string; metadata?: Record<string, string> | null };
  const { sluice_intent: intent, sluice_invoice: invoice } = about.metadata ?? {};
  if (type.startsWith('checkout.session.') && intent)
    return { id, about: { kind: 'intent', subject: intent } };
  if (type.startsWith('payment_intent.') && invoice)
    return { id, about: { kind: 'invoice', subject: invoice } };
  if (type.startsWith('payment_method.') && about.id)
    return { id, about: { kind: 'card', subject: about.id } };
  return { id, about: null };
}

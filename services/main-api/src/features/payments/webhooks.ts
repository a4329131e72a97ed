import { rawRoute, type RawRoute } from '@sluice/http';
import type { ServiceRuntime } from '@sluice/runtime';
import { problem } from '@sluice/service';
import { Counter } from '@prometheus-io/client';
import type { Core } from '../../core.ts';
import { inOwnTransaction } from '@sluice/main-store/database';
import { findCardOwner } from '@sluice/main-store/payment-methods.store';
import { requestWork, takeEvent, wakeWork } from './payment-work.store.ts';
import type { PaymentProvider, ProviderEvent } from '@sluice/payments/payment-provider';

type Parts = Pick<Core, 'database' | 'now'>;

interface WebhookOptions extends Parts, Pick<RawRoute, 'limit' | 'bodySeconds' | 'deadline'> {
  metrics: ServiceRuntime['metrics'];
  log: ServiceRuntime['log'];
  /** Called when work was requested. */
  requested: () => void;
}

const mostBytes = 256 * 2 ** 10;

/**
 * Takes events of the payment provider at `POST /billing/webhooks/{provider}`. An event is believed only that something has changed: what is
 * looked up then, in no order, and once for all events that came until then.
 */
export function webhooks(provider: PaymentProvider, options: WebhookOptions) {
  const { now, metrics, log, requested } = options;
  const events = new Counter({
    name: 'sluice_payment_webhooks_total',
    help: 'Events of the payment provider: taken, repeated, of no interest, or refused for their signature or age',
    labelNames: ['outcome'],
    registers: [metrics],
  });
  const read = (body: Uint8Array, signature: string) => {
    try {
      return provider.readEvent(body, signature, now());
    } catch (error) {
      events.inc({ outcome: 'refused' });
      log.warn('an event of the payment provider is refused', { error });
      throw problem('signature_invalid');
    }
  };
  return rawRoute({
    ...options,
    path: `/billing/webhooks/${provider.name}`,
    bytes: mostBytes,
    async receive(body, header) {
      const outcome = await take(options, provider, read(body, header('stripe-signature') ?? ''));
      events.inc({ outcome });
      if (outcome === 'taken') requested();
    },
  });
}

const take = ({ database, now }: Parts, { name }: PaymentProvider, { id, about }: ProviderEvent) =>
  inOwnTransaction(database, async (tx) => {
    if (!(await takeEvent(tx, name, id))) return 'repeated';
    if (about === null) return 'ignored';
    const { kind, subject } = about;
    if (kind !== 'card') await wakeWork(tx, { kind, subject }, now());
    else {
      const owner = await findCardOwner(tx, name, subject);
      if (owner) await requestWork(tx, { kind, subject, tenant_id: owner.tenant_id }, now());
    }
    return 'taken';
  });

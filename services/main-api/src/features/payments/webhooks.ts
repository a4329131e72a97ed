import { readBytes, type AnswerLocals, type RequestLimiter } from '@sluice/http';
import type { ServiceRuntime } from '@sluice/runtime';
import { problem } from '@sluice/service';
import { Counter } from '@prometheus-io/client';
import type { Request, RequestHandler, Response } from 'express';
import type { Core } from '../../core.ts';
import { inOwnTransaction } from '../../database.ts';
import { findCardOwner } from './payment-methods.store.ts';
import { requestWork, takeEvent, wakeWork } from './payment-work.store.ts';
import type { PaymentProvider, ProviderEvent } from './provider/payment-provider.ts';

type Parts = Pick<Core, 'database' | 'paymentProvider' | 'now'>;

interface WebhookOptions extends Parts {
  /** for requests that no provider has signed */
  limit: RequestLimiter;
  bodySeconds: number;
  metrics: ServiceRuntime['metrics'];
  log: ServiceRuntime['log'];
  /** Called when work was requested. */
  requested: () => void;
}

const path = '/billing/webhooks/';
const mostBytes = 256 * 2 ** 10;

/**
 * Takes events of the payment provider at `POST /billing/webhooks/{provider}`. An event is believed only that something has changed: what is
 * looked up then, in no order, and once for all events that came until then.
 */
export function webhooks(options: WebhookOptions): RequestHandler {
  const { paymentProvider: provider, limit, metrics, log } = options;
  const events = new Counter({
    name: 'sluice_payment_webhooks_total',
    help: 'Events of the payment provider: taken, repeated, of no interest, or refused for their signature or age',
    labelNames: ['outcome'],
    registers: [metrics],
  });
  return async (request, response, next) => {
    if (!request.path.startsWith(path)) return next();
    (response.locals as AnswerLocals).operation = `${path}{provider}`;
    if (!provider || request.path !== `${path}${provider.name}`) {
      await limit(request, response, { kind: 'public' });
      throw problem('unknown_path');
    }
    if (request.method !== 'POST') throw problem('method_not_allowed', { headers: { allow: 'POST' } });
    const event = await signedEvent(options, provider, request, response).catch(async (error: unknown) => {
      events.inc({ outcome: 'refused' });
      log.warn('an event of the payment provider is refused', { error });
      await limit(request, response, { kind: 'public' });
      throw problem('signature_invalid');
    });
    const outcome = await take(options, provider, event);
    events.inc({ outcome });
    if (outcome === 'taken') options.requested();
    response.status(204).end();
  };
}

async function signedEvent(
  { bodySeconds, now }: WebhookOptions,
  provider: PaymentProvider,
  request: Request,
  response: Response,
): Promise<ProviderEvent> {
  const body = await readBytes(request, response, { bytes: mostBytes, seconds: bodySeconds });
  return provider.readEvent(body, request.get('stripe-signature') ?? '', now());
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

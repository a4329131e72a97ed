import { ok, type Handlers } from '@sluice/service-kit';
import { done, shown } from '../../../answers.ts';
import type { components, operations } from '../../../generated/api.ts';
import type { SubscriptionWithMonth } from './subscriptions.store.ts';
import type { SubscriptionService } from './subscription.service.ts';

export function subscriptionOperations(subscriptions: SubscriptionService) {
  return {
    getSubscription: async ({ params }) => ok(subscriptionView(await subscriptions.get(params))),
    changeSubscription: ({ caller, params, body }) => done(subscriptions.change(caller, params, body.plan)),
  } satisfies Partial<Handlers<operations>>;
}

/** A subscription as the tenant shows it, too. */
export function subscriptionView(subscription: SubscriptionWithMonth): components['schemas']['Subscription'] {
  return {
    ...shown(subscription, 'id', 'plan', 'active', 'created_at', 'valid_from', 'valid_to'),
  };
}

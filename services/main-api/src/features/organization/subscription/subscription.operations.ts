import { noContent, ok, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { SubscriptionWithMonth } from '../../../stores/subscriptions.store.ts';
import type { SubscriptionService } from './subscription.service.ts';

export function subscriptionOperations(subscriptions: SubscriptionService) {
  return {
    async getSubscription({ params }) {
      return ok(subscriptionView(await subscriptions.get(params)));
    },

    async changeSubscription({ caller, params, body }) {
      await subscriptions.change(caller, params, body.plan);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}

/** A subscription as the tenant shows it, too. */
export function subscriptionView(subscription: SubscriptionWithMonth): components['schemas']['Subscription'] {
  return {
    id: subscription.id,
    plan: subscription.plan,
    active: subscription.active,
    created_at: subscription.created_at.toISOString(),
    valid_from: subscription.valid_from.toISOString(),
    valid_to: subscription.valid_to.toISOString(),
  };
}

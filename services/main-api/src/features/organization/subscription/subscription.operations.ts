import { done, ok, shown, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { SubscriptionWithMonth } from './subscriptions.store.ts';
import type { SubscriptionService } from './subscription.service.ts';

export const subscriptionOperations = (subscriptions: SubscriptionService) =>
  ({
    getSubscription: async ({ params }) => ok(subscriptionView(await subscriptions.get(params))),
    listLimits: async ({ params }) => ok(await subscriptions.limits(params)),
    changeSubscription: ({ caller, params, body }) => done(subscriptions.change(caller, params, body.plan)),
  }) satisfies Partial<Handlers<operations>>;

export const subscriptionView = (
  subscription: SubscriptionWithMonth,
): components['schemas']['Subscription'] =>
  shown(subscription, 'id', 'plan', 'active', 'created_at', 'valid_from', 'valid_to');

import { done, ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import type { PaymentsService } from './payments.service.ts';

export const paymentsOperations = (payments: PaymentsService) =>
  ({
    async createPaymentIntent({ caller, params }) {
      const { id, url, expires_at } = await payments.createIntent(caller, params);
      return { status: 201, body: { id, url, expires_at: expires_at.toISOString() } };
    },
    getPaymentMethod: async ({ params }) => ok(await payments.method(params)),
    deletePaymentMethod: ({ caller, params }) => done(payments.deleteMethod(caller, params)),
  }) satisfies Partial<Handlers<operations>>;

import type { TenantId } from '@sluice/contracts';
import { problem } from '@sluice/service';
import type { Core } from '../../../core.ts';
import type { Database, Transaction } from '../../../database.ts';
import { validPaymentMethodExists } from './subscriptions.store.ts';

type Terms = Pick<Core, 'paymentRequired' | 'now'>;

/** Whether a tenant has a valid card or an invoice agreement (interface, 2.1). Where none is required, all have an agreement. */
export const hasPaymentMethod = async (db: Database, { paymentRequired, now }: Terms, tenantId: TenantId) =>
  !paymentRequired || (await validPaymentMethodExists(db, tenantId, now()));

/** What everything but the tier free needs (interface, 1.5). @throws Problem `payment_method_required` */
export async function requirePaymentMethod(tx: Transaction, terms: Terms, tenantId: TenantId): Promise<void> {
  if (!(await hasPaymentMethod(tx, terms, tenantId))) throw problem('payment_method_required');
}

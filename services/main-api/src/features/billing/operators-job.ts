import { eventTypes } from '@sluice/contracts';
import type { Job } from '@sluice/controller';
import { system } from '@sluice/service';
import type { Core } from '../../core.ts';
import { findTenant } from '@sluice/main-store/tenants.store';
import { takeBillingChanges } from './operators.store.ts';

const types = [
  'credit_given',
  'credit_withdrawn',
  'discount_given',
  'discount_ended',
  'invoice_paid',
  'payment_method_updated',
  'payment_method_deleted',
] as const;
const batch = 100;

/** Records in the audit logs of tenants what operators have changed of their billing by `sluice-admin`. */
export function billingChangesJob({ work }: Pick<Core, 'work'>): Job {
  const recordSome = () =>
    work(system, async (tx) => {
      const changes = await takeBillingChanges(tx, batch);
      for (const { tenant_id, type, data } of changes) {
        const known = types.find((name) => name === type);
        if (known && (await findTenant(tx, tenant_id)))
          tx.emit(known, { tenant_id }, eventTypes[known].data.parse(data));
      }
      return changes.length;
    });
  return {
    name: 'billing_changes',
    every: 30,
    async run(signal) {
      while ((await recordSome()) === batch && !signal.aborted);
    },
  };
}

import type { Caller } from '@sluice/grants';
import type { BodyOf } from '@sluice/http';
import { fieldProblem } from '@sluice/service';
import isoCountries from 'i18n-iso-countries';
import { changesTo, type Check } from '../../changes.ts';
import type { Core } from '../../core.ts';
import type { operations } from '../../generated/api.ts';
import { lockTenant, type TenantPath } from '@sluice/main-store/tenants.store';
import { billingFields, getBillingInfo, putBillingInfo, type BillingInfo } from './billing-info.store.ts';

type Input = BodyOf<operations['replaceBillingInfo']>;
export type BillingInfoService = ReturnType<typeof billingInfoService>;

/** Whom the invoices of a tenant are made out to (completions, "Billing"). */
export function billingInfoService({ database, work }: Pick<Core, 'database' | 'work'>) {
  return {
    get: ({ tenant_id }: TenantPath) => getBillingInfo(database, tenant_id),

    replace: (caller: Caller, { tenant_id }: TenantPath, input: Input, check: Check<BillingInfo>) =>
      work(caller, async (tx) => {
        const wanted = Object.fromEntries(billingFields.map((field) => [field, input[field] ?? null]));
        checkCountry(input.country);
        await lockTenant(tx, tenant_id);
        const stored = await getBillingInfo(tx, tenant_id);
        check(stored);
        const changes = changesTo<BillingInfo>(stored, wanted, billingFields);
        const fields = Object.keys(changes);
        if (fields.length === 0) return;
        await putBillingInfo(tx, tenant_id, wanted as unknown as BillingInfo);
        // the values are personal data, which no audit log needs
        tx.emit('billing_info_updated', { tenant_id }, { fields });
      }),
  };
}

function checkCountry(country: Input['country']): void {
  if (country && !isoCountries.isValid(country))
    throw fieldProblem('country', 'unknown', 'is no country: ISO 3166-1 alpha-2, such as DE, is expected');
}

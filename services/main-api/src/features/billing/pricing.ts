import { cloudNames } from '@sluice/contracts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { hoursPerMonth } from '../../catalogue/prices.ts';
import type { components } from '../../generated/api.ts';

/** The prices of the catalogue, as everybody can read them (completions, "Billing"). */
export function pricingOf({
  tiers,
  prices,
}: Pick<Catalogue, 'tiers' | 'prices'>): components['schemas']['Pricing'] {
  return {
    currency: 'USD',
    hours_per_month: hoursPerMonth,
    tiers: tiers.flatMap(({ key, hourly_usd }) =>
      hourly_usd ? cloudNames().map((cloud) => ({ tier: key, cloud, hourly: hourly_usd[cloud] })) : [],
    ),
    storage_gb_month: prices.storage_gb,
    network_gb: prices.network_gb,
    multi_az_network_factor: prices.multi_az_network,
    telemetry_day_month: prices.telemetry_day,
    data_retention_gb_month: prices.data_retention_gb,
  };
}

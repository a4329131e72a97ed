import { cloudNames, tiers, hoursPerMonth } from '@sluice/contracts';
import type { PriceBook, ValidList } from '@sluice/catalogue/price-book';

import type { components } from '../../generated/api.ts';

type Schemas = components['schemas'];

/** The prices that are valid, as everybody can read them, and those that are announced (completions, "Billing"). */
export function pricingOf(prices: PriceBook): Schemas['Pricing'] {
  const [valid, ...announced] = prices.since(null);
  return {
    currency: 'USD',
    hours_per_month: hoursPerMonth,
    ...listView(valid),
    announced: announced.map(({ from, list }) => ({ valid_from: from.toISOString(), ...listView({ list }) })),
  };
}

function listView({
  list: { number, terms },
}: Pick<ValidList, 'list'>): Omit<Schemas['AnnouncedPriceList'], 'valid_from'> {
  const { prices } = terms;
  return {
    list: number,
    tiers: tiers.flatMap((tier) =>
      cloudNames().flatMap((cloud) => {
        const hourly = terms.tiers[tier]?.hourly_usd?.[cloud];
        return hourly === undefined ? [] : [{ tier, cloud, hourly }];
      }),
    ),
    storage_gb_month: prices.storage_gb,
    network_gb: prices.network_gb,
    multi_az_network_factor: prices.multi_az_network,
    telemetry_day_month: prices.telemetry_day,
    data_retention_gb_month: prices.data_retention_gb,
  };
}

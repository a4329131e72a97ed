import { cloudNames, tiers } from '@sluice/contracts';
import { z } from 'zod';
import { decimal, pricesSchema, type Catalogue } from './catalogue.ts';

/** All that the price of a deployment depends on besides its shape: a list that is stored is never changed. */
export const priceTermsSchema = z.object({
  tiers: z.partialRecord(
    z.enum(tiers),
    z.object({
      /** what a node costs; absent for `free` */
      hourly_usd: z.partialRecord(z.enum(cloudNames()), decimal).optional(),
      /** KB/s, of a deployment without its own */
      target_network_tput: z.int().min(0),
      /** gigabytes of each node, of a deployment whose size cannot be chosen */
      storage_size: z.int().positive(),
    }),
  ),
  /** days for which telemetry is kept without a price */
  telemetry_days: z.int().min(0),
  prices: pricesSchema,
});
export type PriceTerms = z.infer<typeof priceTermsSchema>;

export interface PriceList {
  number: number;
  terms: PriceTerms;
}

/** The prices that a catalogue file says. */
export const priceTermsOf = ({ tiers: offered, telemetry_days, prices }: Catalogue): PriceTerms => ({
  tiers: Object.fromEntries(
    offered.map(({ key, hourly_usd, target_network_tput, storage }) => [
      key,
      { ...(hourly_usd && { hourly_usd }), target_network_tput, storage_size: storage.size },
    ]),
  ),
  telemetry_days: telemetry_days.default,
  prices,
});

import { z } from 'zod';
import { cloudNames } from './clouds.ts';
import { tiers } from './plan.ts';

/** Prices, as a catalogue file says them, and as price lists store them. */

/** an amount of dollars, or a factor: exact, and short enough for every product of some of them to be so too */
export const decimalSchema = z
  .string("has to be a decimal in quotes, such as '0.095'")
  .regex(
    /^\d{1,6}(\.\d{1,8})?$/,
    'has to be a decimal with at most 6 digits before the point and 8 behind it',
  );

/** dollars; what they are for says the catalogue file */
export const pricesSchema = z.strictObject({
  storage_gb: z.record(z.enum(['local_ssd', 'network_balanced']), decimalSchema),
  network_gb: decimalSchema,
  multi_az_network: decimalSchema,
  telemetry_day: decimalSchema,
  data_retention_gb: decimalSchema,
});

/** All that the price of a deployment depends on besides its shape: a list that is stored is never changed. */
export const priceTermsSchema = z.object({
  tiers: z.partialRecord(
    z.enum(tiers),
    z.object({
      /** what a node costs; absent for `free` */
      hourly_usd: z.partialRecord(z.enum(cloudNames()), decimalSchema).optional(),
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

/** The part of a catalogue file that prices are made of. */
export const pricedCatalogueSchema = z.object({
  tiers: z.array(
    z.object({
      key: z.enum(tiers),
      hourly_usd: z.record(z.enum(cloudNames()), decimalSchema).optional(),
      target_network_tput: z.int().min(0),
      storage: z.object({ size: z.int().positive() }),
    }),
  ),
  telemetry_days: z.object({ default: z.int().min(0) }),
  prices: pricesSchema,
});

/** The prices that a catalogue file says. */
export const priceTermsOf = ({
  tiers: offered,
  telemetry_days,
  prices,
}: z.infer<typeof pricedCatalogueSchema>): PriceTerms => ({
  tiers: Object.fromEntries(
    offered.map(({ key, hourly_usd, target_network_tput, storage }) => [
      key,
      { ...(hourly_usd && { hourly_usd }), target_network_tput, storage_size: storage.size },
    ]),
  ),
  telemetry_days: telemetry_days.default,
  prices,
});

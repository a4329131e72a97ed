import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import type { Plan, PricePercents, Shape } from './plan.ts';

/** The prices of the catalogue's file, and what a shape costs by them: fractions of whole numbers, rounded once for each part. */

interface CatalogueFile {
  tiers: { key: string; hourly_usd?: Record<string, string>; target_network_tput: number }[];
  prices: {
    storage_gb: Record<string, string>;
    network_gb: string;
    telemetry_day: string;
    data_retention_gb: string;
  };
  telemetry_days: { default: number };
}
export type NaivePrices = CatalogueFile;

const readPrices = async (file: URL): Promise<NaivePrices> =>
  parse(await readFile(file, 'utf8')) as NaivePrices;

/** The lists of a plan, by their numbers: the first one is what the file says. */
export async function readLists(file: URL, { lists }: Pick<Plan, 'lists'>): Promise<NaivePrices[]> {
  const catalogue = await readPrices(file);
  return [catalogue, catalogue, ...lists.map((percents) => scaled(catalogue, percents))];
}

/** The catalogue file with other prices. */
export function scaled<File extends CatalogueFile>(file: File, percents: PricePercents): File {
  const times = (percent: number) => (text: string) => decimal((exact(text) * BigInt(percent)) / 100n);
  const each = (prices: Record<string, string>, percent: number) =>
    Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, times(percent)(price)]));
  const { tiers, prices } = file;
  return {
    ...file,
    tiers: tiers.map((tier) => ({
      ...tier,
      ...(tier.hourly_usd && { hourly_usd: each(tier.hourly_usd, percents.hourly) }),
    })),
    prices: {
      ...prices,
      storage_gb: each(prices.storage_gb, percents.storage),
      network_gb: times(percents.network)(prices.network_gb),
      telemetry_day: times(percents.telemetry)(prices.telemetry_day),
      data_retention_gb: times(percents.retention)(prices.data_retention_gb),
    },
  };
}

/** The number of the list that is valid for a tenant at a time. @param knownAt what is published later does not count */
export function listAt(
  { priceChanges }: Pick<Plan, 'priceChanges'>,
  tenant: number,
  time: number,
  knownAt = Infinity,
): number {
  const last = (of: number | null) =>
    priceChanges
      .filter((change) => change.tenant === of && change.validFrom <= time && change.at <= knownAt)
      // of those with one time the one that was published last, as they are in that order
      .toSorted((one, other) => one.validFrom - other.validFrom)
      .at(-1)?.list;
  return last(tenant) ?? last(null) ?? 1;
}

const digits = 12;
/** A decimal times 10^12. */
function exact(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(digits, '0'));
}
/** With at most eight digits behind the point, as a catalogue has them. */
function decimal(amount: bigint): string {
  const text = String(amount).padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits).slice(0, 8)}`;
}
/** What was multiplied out of `factors` decimals, in whole cents, half up. */
function cents(product: bigint, factors: number): bigint {
  const one = 10n ** BigInt(digits * factors);
  return (product * 200n + one) / (2n * one);
}

/** US cents for 730 hours, by part. */
export function costOf(
  { tiers, prices, telemetry_days }: NaivePrices,
  cloud: string,
  { tier: key, nodes, storageType, storageSize, telemetryDays }: Shape,
): Record<string, bigint> {
  const tier = tiers.find((one) => one.key === key);
  if (!tier?.hourly_usd) return { compute: 0n, storage: 0n, network: 0n, telemetry: 0n, data_retention: 0n };
  const [count, size] = [BigInt(nodes), BigInt(storageSize)];
  const days = BigInt(Math.max(0, telemetryDays - telemetry_days.default));
  // 1 KB/s moves 2.628 GB in 730 hours
  const moved = exact('2.628') * BigInt(tier.target_network_tput);
  return {
    compute: cents(exact(tier.hourly_usd[cloud] ?? '0') * count * 730n, 1),
    storage: cents(exact(prices.storage_gb[storageType] ?? '0') * size * count, 1),
    network: cents(exact(prices.network_gb) * moved, 2),
    telemetry: cents(exact(prices.telemetry_day) * days, 1),
    data_retention: cents(exact(prices.data_retention_gb) * size, 1),
  };
}

import {
  costParts,
  type Cloud,
  type CostPart,
  type DeploymentSpec,
  type Price,
  type PriceTerms,
  type Tier,
  hoursPerMonth,
} from '@sluice/contracts';
import { Decimal } from 'decimal.js';
import type { PriceList } from './price-list.ts';

/** What a deployment costs in a month (interface, 2.7), reckoned exactly and rounded once for each part. */

/** What the price of a deployment depends on. */
export interface PricedShape {
  tier: Tier;
  cloud: Cloud;
  nodes: number;
  /** null: as the tier has it */
  storage: { type: DeploymentSpec['storage']['type']; size: number | null };
  /** KB/s; null: as the tier has it */
  target_network_tput: number | null;
  availability_mode: DeploymentSpec['availability_mode'];
  telemetry_days: number;
}

/** US dollars, with two digits behind the point. */
export interface MonthlyCost {
  monthly_total_usd: string;
  breakdown: Record<`${CostPart}_usd`, string>;
}

/** more digits than any product has that the bounds of the catalogue and of requests allow: nothing is rounded on the way */
const Exact = Decimal.clone({ precision: 80, rounding: Decimal.ROUND_HALF_UP });

/** what 1 KB/s moves in a month, in GB */
const gigabytesPerMonth = new Exact(hoursPerMonth).times(3600).div(1_000_000);

/** The parts as a preview shows them; undefined where the list has no price of the tier in this cloud. */
export function monthlyCost(list: PriceList, shape: PricedShape): MonthlyCost | undefined {
  const rounded = roundedCost(list, shape);
  if (!rounded) return undefined;
  const total = costParts.reduce((sum, part) => sum.plus(rounded[part]), new Exact(0));
  const breakdown = Object.fromEntries(costParts.map((part) => [`${part}_usd`, rounded[part].toFixed(2)]));
  return { monthly_total_usd: total.toFixed(2), breakdown: breakdown as MonthlyCost['breakdown'] };
}

/** The same in US cents. */
export function monthlyPrice(list: PriceList, shape: PricedShape): Price | undefined {
  const rounded = roundedCost(list, shape);
  if (!rounded) return undefined;
  const cents = costParts.map((part) => [part, rounded[part].times(100).toNumber()]);
  return { ...(Object.fromEntries(cents) as Record<CostPart, number>), list: list.number };
}

function roundedCost({ terms }: PriceList, shape: PricedShape): Record<CostPart, Decimal> | undefined {
  const exact = shape.tier === 'free' ? byPart(() => new Exact(0)) : exactCost(terms, shape);
  return exact && byPart((part) => exact[part].toDecimalPlaces(2));
}

const byPart = (amount: (part: CostPart) => Decimal) =>
  Object.fromEntries(costParts.map((part) => [part, amount(part)])) as Record<CostPart, Decimal>;

function exactCost(terms: PriceTerms, shape: PricedShape): Record<CostPart, Decimal> | undefined {
  const { prices } = terms;
  const { cloud, nodes, storage } = shape;
  const tier = terms.tiers[shape.tier];
  const hourly = tier?.hourly_usd?.[cloud];
  if (!tier || hourly === undefined) return undefined;
  const moved = gigabytesPerMonth.times(shape.target_network_tput ?? tier.target_network_tput);
  const zones = shape.availability_mode === 'multi_az' ? prices.multi_az_network : 1;
  const size = storage.size ?? tier.storage_size;
  return {
    compute: new Exact(hourly).times(nodes).times(hoursPerMonth),
    storage: new Exact(prices.storage_gb[storage.type]).times(size).times(nodes),
    network: moved.times(prices.network_gb).times(zones),
    telemetry: new Exact(prices.telemetry_day).times(
      Math.max(0, shape.telemetry_days - terms.telemetry_days),
    ),
    data_retention: new Exact(prices.data_retention_gb).times(size),
  };
}

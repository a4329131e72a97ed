import { costParts, type Cloud, type CostPart, type DeploymentSpec, type Price } from '@sluice/contracts';
import { Decimal } from 'decimal.js';
import type { Catalogue, CatalogueTier } from './catalogue.ts';

/** What a deployment costs in a month (interface, 2.7), reckoned exactly and rounded once for each part. */

export interface PricedShape {
  tier: CatalogueTier;
  cloud: Cloud;
  nodes: number;
  /** gigabytes of each node */
  storage: { type: DeploymentSpec['storage']['type']; size: number };
  /** KB/s */
  target_network_tput: number;
  availability_mode: DeploymentSpec['availability_mode'];
  /** beyond the default of the installation */
  telemetry_extra_days: number;
}

/** US dollars, with two digits behind the point. */
export interface MonthlyCost {
  monthly_total_usd: string;
  breakdown: Record<`${CostPart}_usd`, string>;
}

/** more digits than any product has that the bounds of the catalogue and of requests allow: nothing is rounded on the way */
const Exact = Decimal.clone({ precision: 80, rounding: Decimal.ROUND_HALF_UP });

export const hoursPerMonth = 730;
/** what 1 KB/s moves in a month, in GB */
const gigabytesPerMonth = new Exact(hoursPerMonth).times(3600).div(1_000_000);

/** The parts as a preview shows them. */
export function monthlyCost(catalogue: Pick<Catalogue, 'prices'>, shape: PricedShape): MonthlyCost {
  const rounded = roundedCost(catalogue, shape);
  const total = costParts.reduce((sum, part) => sum.plus(rounded[part]), new Exact(0));
  const breakdown = Object.fromEntries(costParts.map((part) => [`${part}_usd`, rounded[part].toFixed(2)]));
  return { monthly_total_usd: total.toFixed(2), breakdown: breakdown as MonthlyCost['breakdown'] };
}

/** The same in US cents. */
export function monthlyCentsByPart(catalogue: Pick<Catalogue, 'prices'>, shape: PricedShape): Price {
  const rounded = roundedCost(catalogue, shape);
  return Object.fromEntries(costParts.map((part) => [part, rounded[part].times(100).toNumber()])) as Price;
}

function roundedCost({ prices }: Pick<Catalogue, 'prices'>, shape: PricedShape): Record<CostPart, Decimal> {
  if (shape.tier.key === 'free') return byPart(() => new Exact(0));
  const exact = exactCost(prices, shape);
  return byPart((part) => exact[part].toDecimalPlaces(2));
}

const byPart = (amount: (part: CostPart) => Decimal) =>
  Object.fromEntries(costParts.map((part) => [part, amount(part)])) as Record<CostPart, Decimal>;

function exactCost(prices: Catalogue['prices'], shape: PricedShape): Record<CostPart, Decimal> {
  const { tier, cloud, nodes, storage } = shape;
  if (!tier.hourly_usd) throw new Error(`the tier ${tier.key} has no price`);
  const moved = gigabytesPerMonth.times(shape.target_network_tput);
  const zones = shape.availability_mode === 'multi_az' ? prices.multi_az_network : 1;
  return {
    compute: new Exact(tier.hourly_usd[cloud]).times(nodes).times(hoursPerMonth),
    storage: new Exact(prices.storage_gb[storage.type]).times(storage.size).times(nodes),
    network: moved.times(prices.network_gb).times(zones),
    telemetry: new Exact(prices.telemetry_day).times(shape.telemetry_extra_days),
    data_retention: new Exact(prices.data_retention_gb).times(storage.size),
  };
}

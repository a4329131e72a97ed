import type { DeploymentSpec, Cloud } from '@sluice/contracts';
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
  breakdown: Record<Part, string>;
}

const parts = ['compute_usd', 'storage_usd', 'network_usd', 'telemetry_usd', 'data_retention_usd'] as const;
type Part = (typeof parts)[number];

/** more digits than any product has that the bounds of the catalogue and of requests allow: nothing is rounded on the way */
const Exact = Decimal.clone({ precision: 80, rounding: Decimal.ROUND_HALF_UP });

const hoursPerMonth = 730;
/** what 1 KB/s moves in a month, in GB */
const gigabytesPerMonth = new Exact(hoursPerMonth).times(3600).div(1_000_000);

export function monthlyCost({ prices }: Pick<Catalogue, 'prices'>, shape: PricedShape): MonthlyCost {
  const exact = shape.tier.key === 'free' ? nothing() : exactCost(prices, shape);
  const rounded = parts.map((part) => [part, exact[part].toDecimalPlaces(2)] as const);
  const total = rounded.reduce((sum, [, amount]) => sum.plus(amount), new Exact(0));
  const breakdown = Object.fromEntries(rounded.map(([part, amount]) => [part, amount.toFixed(2)]));
  return { monthly_total_usd: total.toFixed(2), breakdown: breakdown as Record<Part, string> };
}

const nothing = () => Object.fromEntries(parts.map((part) => [part, new Exact(0)])) as Record<Part, Decimal>;

function exactCost(prices: Catalogue['prices'], shape: PricedShape): Record<Part, Decimal> {
  const { tier, cloud, nodes, storage } = shape;
  if (!tier.hourly_usd) throw new Error(`the tier ${tier.key} has no price`);
  const moved = gigabytesPerMonth.times(shape.target_network_tput);
  const zones = shape.availability_mode === 'multi_az' ? prices.multi_az_network : 1;
  return {
    compute_usd: new Exact(tier.hourly_usd[cloud]).times(nodes).times(hoursPerMonth),
    storage_usd: new Exact(prices.storage_gb[storage.type]).times(storage.size).times(nodes),
    network_usd: moved.times(prices.network_gb).times(zones),
    telemetry_usd: new Exact(prices.telemetry_day).times(shape.telemetry_extra_days),
    data_retention_usd: new Exact(prices.data_retention_gb).times(storage.size),
  };
}

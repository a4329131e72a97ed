import { monthlyCentsOf, priceAt, statusIs, type Price } from '@sluice/contracts';
import type { Billed, BilledChange } from '@sluice/region-store/tables';
import type { Deployment } from '@sluice/region-store/deployments.store';

/** What a deployment costs, from a second on, and for what. */
export interface Rate {
  /** 0 while it costs nothing */
  monthlyCents: number;
  /** null while it costs nothing, or where main-api has sent no parts of the price */
  billed: Billed | null;
  /** what follows if nothing else changes, in the order of the times */
  price_changes: BilledChange[];
}

const nothing: Rate = { monthlyCents: 0, billed: null, price_changes: [] };

/** By its status, its shape, and the prices that main-api has sent. */
export function rateOf(deployment: Deployment, now: Date): Rate {
  const { limits } = deployment.spec;
  if (!statusIs('billable', deployment.status) || deployment.deleted_by !== null) return nothing;
  const price = priceAt(limits, now);
  if (!price) return { ...nothing, monthlyCents: limits.monthly_cents ?? 0 };
  const ahead = (limits.price_changes ?? []).filter(({ from }) => new Date(from) > now);
  const price_changes = ahead.map((change) => ({
    from: change.from,
    billed: billedFor(deployment, change.price),
  }));
  return { ...rateFor(billedFor(deployment, price)), price_changes };
}

export function rateFor(billed: Billed): Pick<Rate, 'monthlyCents' | 'billed'> {
  const monthlyCents = monthlyCentsOf(billed.price);
  return { monthlyCents, billed: monthlyCents > 0 ? billed : null };
}

/** The shape of a deployment with this price. */
export const billedFor = ({ spec }: Deployment, price: Price): Billed => ({
  ...{ price, tier: spec.tier, nodes: spec.nodes.length, storage: spec.storage },
  target_network_tput: spec.target_network_tput,
  availability_mode: spec.availability_mode,
  telemetry_days: spec.retention.telemetry_days,
});

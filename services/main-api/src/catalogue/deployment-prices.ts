import { monthlyCentsOf, type Price, type Tier } from '@sluice/contracts';
import type { Catalogue, CatalogueTier } from './catalogue.ts';
import { monthlyCentsByPart, type PricedShape } from './prices.ts';

/** What a deployment's resources and its price depend on. */
export interface Sized extends Pick<PricedShape, 'cloud' | 'availability_mode'> {
  tier: Tier;
  nodes: readonly unknown[];
  storage_type: PricedShape['storage']['type'];
  /** of each node, in GB; null: as the tier has it */
  storage_size: number | null;
  target_network_tput: number | null;
  telemetry_days: number;
}

/** What a deployment costs while it runs, as its preview has said (interface, 2.7); undefined when the catalogue no longer has its tier. */
export function priceOf(catalogue: Catalogue, deployment: Sized): Price | undefined {
  const tier = catalogue.tiers.find(({ key }) => key === deployment.tier);
  return tier && monthlyPrice(catalogue, tier, deployment);
}

/** The same as one amount, in US cents for a month. */
export const monthlyCents = (catalogue: Catalogue, tier: CatalogueTier, deployment: Sized) =>
  monthlyCentsOf(monthlyPrice(catalogue, tier, deployment));

/** The same by its parts. */
export function monthlyPrice(catalogue: Catalogue, tier: CatalogueTier, deployment: Sized): Price {
  const { cloud, nodes, storage_type: type, storage_size, target_network_tput, ...shape } = deployment;
  return monthlyCentsByPart(catalogue, {
    ...{ tier, cloud, nodes: nodes.length },
    storage: { type, size: storage_size ?? tier.storage.size },
    target_network_tput: target_network_tput ?? tier.target_network_tput,
    availability_mode: shape.availability_mode,
    telemetry_extra_days: Math.max(0, shape.telemetry_days - catalogue.telemetry_days.default),
  });
}

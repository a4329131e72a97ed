import type { Price } from '@sluice/contracts';
import type { PriceList } from './price-list.ts';
import { monthlyPrice, type PricedShape } from './prices.ts';

/** What a deployment's resources and its price depend on. */
export interface Sized extends Pick<
  PricedShape,
  'tier' | 'cloud' | 'availability_mode' | 'target_network_tput' | 'telemetry_days'
> {
  nodes: readonly unknown[];
  storage_type: PricedShape['storage']['type'];
  /** of each node, in GB; null: as the tier has it */
  storage_size: number | null;
}

/** What a deployment costs while it runs, as its preview has said (interface, 2.7); undefined when the list has no price for it. */
export const priceOf = (
  list: PriceList,
  { nodes, storage_type: type, storage_size: size, ...shape }: Sized,
): Price | undefined => monthlyPrice(list, { ...shape, nodes: nodes.length, storage: { type, size } });

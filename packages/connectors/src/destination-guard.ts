import { destinations, type DestinationRules, type Destinations } from '@sluice/system/destinations';

export type { Destinations } from '@sluice/system/destinations';

/** Where connectors may connect to: as the node does, so that they also reach the customers' own networks. */
export const connectorDestinations = (rules: Pick<DestinationRules, 'allowed' | 'refused'>): Destinations =>
  destinations({ ...rules, who: 'Connectors on this node', reach: 'networks' });

import { destinations, type DestinationRules, type Destinations } from '@sluice/system/destinations';

/** Where sinks may be: at public addresses, and at what an operator allows besides. */
export type SinkAddresses = Pick<Destinations, 'check' | 'lookup'>;

/** @throws Error for what is no address or block */
export const sinkAddresses = (rules: Pick<DestinationRules, 'allowed' | 'refused'>): SinkAddresses =>
  destinations({ ...rules, who: 'Sinks of audit logs', reach: 'internet' });

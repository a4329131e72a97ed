import { destinations, type DestinationRules, type Destinations } from '@sluice/system/destinations';
import { tunnels, type OpenTunnel } from '@sluice/system/tunnels';

/** Where sinks may be, and how they are reached. */
export type SinkAddresses = Pick<Destinations, 'check' | 'lookup'> & {
  /** by which connections with TLS are made, where the internet is behind a proxy */
  tunnel: OpenTunnel | undefined;
};

export interface SinkAddressOptions extends Pick<DestinationRules, 'allowed' | 'refused'> {
  proxy?: URL | undefined;
}

const tunnelMilliseconds = 10_000;

/** At public addresses, and at what an operator allows besides. @throws Error for what is no address or block */
export function sinkAddresses({ allowed, refused, proxy }: SinkAddressOptions): SinkAddresses {
  const guard = destinations({ allowed, refused, who: 'Sinks of audit logs', reach: 'internet' });
  const tunnel = proxy && tunnels({ proxy, destinations: guard, milliseconds: tunnelMilliseconds });
  return { ...guard, tunnel };
}

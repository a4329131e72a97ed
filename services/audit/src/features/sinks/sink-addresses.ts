import type { TenantId } from '@sluice/contracts';
import { destinations, type DestinationRules, type Destinations } from '@sluice/system/destinations';
import { tunnels, type OpenTunnel } from '@sluice/system/tunnels';

/** Where sinks may be, and how that of one tenant is reached. */
export interface SinkAddresses extends Pick<Destinations, 'check'> {
  of(tenant: TenantId): SinkRoute;
}

export interface SinkRoute extends Pick<Destinations, 'check' | 'lookup'> {
  /** by which connections with TLS are made, where the internet is behind a proxy */
  tunnel: OpenTunnel | undefined;
}

export interface SinkAddressOptions extends Pick<
  DestinationRules,
  'allowed' | 'refused' | 'servers' | 'onLookup'
> {
  proxy?: URL | undefined;
}

const tunnelMilliseconds = 10_000;

/** At public addresses, and at what an operator allows besides. @throws Error for what is no address or block */
export function sinkAddresses({ proxy, ...rules }: SinkAddressOptions): SinkAddresses {
  const guard = destinations({ ...rules, who: 'Sinks of audit logs', reach: 'internet' });
  return {
    check: (host) => guard.check(host),
    of(tenant) {
      const ofTenant = guard.of(`tenant ${tenant}`);
      const tunnel = proxy && tunnels({ proxy, destinations: ofTenant, milliseconds: tunnelMilliseconds });
      return { ...ofTenant, tunnel };
    },
  };
}

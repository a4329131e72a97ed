import ipaddr from 'ipaddr.js';
import { setSubnet } from '../stores/deployments.store.ts';
import { insertDnsRecord } from '../stores/dns-records.store.ts';
import { takeSubnet, type SubnetPool } from '../stores/subnets.store.ts';
import { emulatedLinks, type EmulatedLinksOptions } from './emulated-links.ts';
import { domainOf, type NetworkDriver } from './network-driver.ts';

export interface EmulatedDriverOptions extends EmulatedLinksOptions {
  /** block that subnets are taken from, such as 10.64.0.0/10 */
  subnetRange: string;
  baseDomain: string;
  /** where the gateways of all nodes listen, and all domains lead to */
  gatewayHost: string;
}

const subnetBits = 24;

/**
 * A network that exists in the database only: subnets are taken and given back, a zone has its records, links come and go, but no
 * packet passes.
 */
export function createEmulatedDriver(options: EmulatedDriverOptions): NetworkDriver {
  const pool = subnetsOf(options.subnetRange);

  return {
    links: emulatedLinks(options),
    phases: {
      async creating_subnet(tx, { id }) {
        const subnet = await takeSubnet(tx, id, pool);
        if (subnet === undefined) throw new Error(`no subnet is left in ${options.subnetRange}`);
        await setSubnet(tx, id, subnet);
      },

      // the gateways let nobody in but by an access rule; there is nothing else to close
      securing_network: () => Promise.resolve(),

      async configuring_dns(tx, deployment) {
        const domain = domainOf(deployment, options.baseDomain);
        if (domain === null) return;
        await insertDnsRecord(tx, { domain, deployment_id: deployment.id, address: options.gatewayHost });
      },
    },
  };
}

/** A /24 subnet for each deployment. */
function subnetsOf(range: string): SubnetPool {
  const [, bits] = ipaddr.IPv4.parseCIDR(range);
  return {
    range: `${ipaddr.IPv4.networkAddressFromCIDR(range).toString()}/${Math.min(bits, subnetBits)}`,
    first: `${ipaddr.IPv4.networkAddressFromCIDR(range).toString()}/${subnetBits}`,
    count: 2 ** Math.max(0, subnetBits - bits),
    size: 2 ** (32 - subnetBits),
  };
}

import type { DeploymentSpec, DeploymentStatus } from '@sluice/contracts';
import ipaddr from 'ipaddr.js';
import type { SupervisorEnvironment } from '../config.ts';
import type { Database } from '@sluice/region-store/tables';
import { changeDeployment } from '@sluice/region-store/deployments.store';
import { insertDnsRecord } from '@sluice/region-store/dns-records.store';
import { takeSubnet, type SubnetPool } from '@sluice/region-store/subnets.store';
import { domainOf } from './domain-of.ts';

export type NetworkPhases = {
  readonly [Status in DeploymentStatus]?: (tx: Database, deployment: DeploymentSpec) => Promise<void>;
};

const subnetBits = 24;

/** The phases of networks in the region's database: subnets are taken and given back, a zone has its records. */
export function defaultPhases({
  SUBNET_RANGE: range,
  BASE_DOMAIN: zone,
  GATEWAY_HOST: address,
}: Pick<SupervisorEnvironment, 'SUBNET_RANGE' | 'BASE_DOMAIN' | 'GATEWAY_HOST'>): NetworkPhases {
  const pool = subnetsOf(range);

  return {
    async creating_subnet(tx, { id }) {
      const subnet = await takeSubnet(tx, id, pool);
      if (subnet === undefined) throw new Error(`no subnet is left in ${range}`);
      await changeDeployment(tx, id, { subnet });
    },

    // the gateways let clients in by access rules alone; there is nothing else to close
    securing_network: () => Promise.resolve(),

    async configuring_dns(tx, deployment) {
      const domain = domainOf(deployment, zone);
      if (domain === null) return;
      await insertDnsRecord(tx, { domain, deployment_id: deployment.id, address });
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

import ipaddr from 'ipaddr.js';
import { sql } from 'kysely';
import { domainOf, type NetworkDriver } from './network-driver.ts';

export interface EmulatedDriverOptions {
  /** block that subnets are taken from, such as 10.64.0.0/10 */
  subnetRange: string;
  baseDomain: string;
  /** where the gateways of all nodes listen, and all domains lead to */
  gatewayHost: string;
}

const subnetBits = 24;

/**
 * A network that exists in the database only: subnets are taken and given back, a zone has its records, but no packet
 * passes. It has no step for certificates, since the local gateway ends no TLS.
 */
export function createEmulatedDriver(options: EmulatedDriverOptions): NetworkDriver {
  const [, bits] = ipaddr.IPv4.parseCIDR(options.subnetRange);
  const base = `${ipaddr.IPv4.networkAddressFromCIDR(options.subnetRange).toString()}/${subnetBits}`;
  const subnets = 2 ** Math.max(0, subnetBits - bits);
  const hosts = 2 ** (32 - subnetBits);

  return {
    steps: ['creating_subnet', 'securing_network', 'configuring_dns'],

    async createSubnet(tx, deploymentId) {
      // one at a time, else two would choose the same; the unique constraint would refuse the second
      await sql`SELECT pg_advisory_xact_lock(hashtext('subnets'))`.execute(tx);
      const { rows } = await sql`
        UPDATE deployments SET subnet = free.subnet
        FROM (
          SELECT network(${base}::inet + position * ${hosts}::bigint)::cidr AS subnet
          FROM generate_series(0, ${subnets - 1}::bigint) AS position
          WHERE NOT EXISTS (
            SELECT FROM deployments
            WHERE deployments.subnet = network(${base}::inet + position * ${hosts}::bigint)::cidr
          )
          ORDER BY position
          LIMIT 1
        ) AS free
        WHERE id = ${deploymentId}
        RETURNING id`.execute(tx);
      if (rows.length === 0) throw new Error(`no subnet is left in ${options.subnetRange}`);
    },

    async configureDns(tx, deployment) {
      const domain = domainOf(deployment, options.baseDomain);
      if (domain === null) return;
      await tx
        .insertInto('dns_records')
        .values({ domain, deployment_id: deployment.id, address: options.gatewayHost })
        .onConflict((conflict) => conflict.column('domain').doNothing())
        .execute();
    },
  };
}

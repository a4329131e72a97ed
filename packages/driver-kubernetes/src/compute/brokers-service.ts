import type { V1ServiceSpec } from '@kubernetes/client-node';
import type { DeploymentId } from '@sluice/contracts';
import type { BrokerPlace } from '@sluice/drivers';
import { labels, nameOf, namespaceOf } from './labels.ts';

/** How the brokers of a cluster reach each other in Kubernetes: by the names of their pods in one Service without an address. */

/** the Service of each deployment that is a cluster */
export const brokersService = 'brokers';
export const clusterPort = 6222;
export const clusterPortName = 'cluster';

const domainOf = (owner: string, deployment: DeploymentId) =>
  `${brokersService}.${namespaceOf(owner, deployment)}.svc`;

/** Brokers in pods, whose addresses change and whose names stay, in every cluster, with any domain. */
export const podPlace = (owner: string): BrokerPlace => ({
  listen: '0.0.0.0',
  hostOf: (deployment, node) => `${nameOf(node)}-0.${domainOf(owner, deployment)}`,
  // also of nodes that are added later
  namesOf: (deployment) => ({ dns: [`*.${domainOf(owner, deployment)}`], addresses: [] }),
});

export function brokersServiceSpec(deployment: DeploymentId): V1ServiceSpec {
  return {
    clusterIP: 'None',
    selector: { [labels.deployment]: String(deployment) },
    // brokers have to find each other before any of them can be ready
    publishNotReadyAddresses: true,
    ports: [{ name: clusterPortName, port: clusterPort, targetPort: clusterPort, protocol: 'TCP' }],
  };
}

import type { V1ServiceSpec } from '@kubernetes/client-node';
import type { DeploymentId, NodeId } from '@sluice/contracts';
import { labels, nameOf, namespaceOf } from './labels.ts';

/** How the brokers of a cluster reach each other in Kubernetes: by the names of their pods in one Service without an address. */

/** the Service of each deployment that is a cluster */
export const brokersService = 'brokers';
/** where they listen for each other */
export const clusterPort = 6222;
export const clusterPortName = 'cluster';

const domainOf = (owner: string, deployment: DeploymentId) =>
  `${brokersService}.${namespaceOf(owner, deployment)}.svc`;

/** The name of a node's pod: the same wherever it runs, in every cluster whatever its domain is. */
export const clusterHostOf = (owner: string, deployment: DeploymentId, node: NodeId) =>
  `${nameOf(node)}-0.${domainOf(owner, deployment)}`;

/** All such names of a deployment, also of nodes that are added later. */
export const clusterNamesOf = (owner: string, deployment: DeploymentId) => `*.${domainOf(owner, deployment)}`;

export function brokersServiceSpec(deployment: DeploymentId): V1ServiceSpec {
  return {
    clusterIP: 'None',
    selector: { [labels.deployment]: String(deployment) },
    // brokers have to find each other before any of them can be ready
    publishNotReadyAddresses: true,
    ports: [{ name: clusterPortName, port: clusterPort, targetPort: clusterPort, protocol: 'TCP' }],
  };
}

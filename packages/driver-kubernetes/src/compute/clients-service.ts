import type { V1ServiceSpec } from '@kubernetes/client-node';
import type { NodeAddress } from '@sluice/drivers';
import type { ApiObject } from './api-object.ts';
import { serviceTemplateOf, serviceTypeOf, type Installation, type ServiceType } from './installation.ts';
import type { DeploymentObjectsInput } from './deployment-input.ts';
import { addressOf } from './presence.ts';

/**
 * By which Service clients reach the nodes of a deployment: its node's own, or with `perDeployment` one load balancer of a whole cluster,
 * of which every node answers alike. A load balancer sends clients to machines with a pod behind it and keeps their addresses, by which
 * access rules go; with a port for each node it would send them to machines on which the node is not.
 */

export const clientsService = 'clients';

type Deployment = Pick<DeploymentObjectsInput, 'options' | 'isCluster' | 'clients'>;

/** Whether the nodes of a deployment are reached by one Service. */
export const isShared = (installation: Installation, { options, isCluster }: Deployment) =>
  isCluster &&
  serviceTypeOf(installation, options) === 'LoadBalancer' &&
  serviceTemplateOf(installation, options).perDeployment === true;

const specOf = (service: ApiObject | undefined): V1ServiceSpec | undefined => service?.spec;
const typeOf = (service: ApiObject | undefined) => specOf(service)?.type;
const isBalanced = (service: ApiObject | undefined) => typeOf(service) === 'LoadBalancer';

const balanced = (service: ApiObject | undefined): NodeAddress | null =>
  isBalanced(service) ? addressOf('LoadBalancer', service, undefined) : null;

/** Of a node's own Service. A load balancer of former settings stays until the shared one has an address. */
export function ownServiceType(
  installation: Installation,
  deployment: Deployment,
  service: ApiObject | undefined,
): ServiceType {
  const type = serviceTypeOf(installation, deployment.options);
  if (!isShared(installation, deployment)) return type;
  return isBalanced(service) && !balanced(deployment.clients) ? type : 'ClusterIP';
}

/** The Service by which clients reach a node now, which is that of former settings until the other one has an address. */
export function reachOf(
  installation: Installation,
  deployment: Deployment,
  service: ApiObject | undefined,
  pod: ApiObject | undefined,
): { service: ApiObject | undefined; address: NodeAddress | null } {
  const { clients } = deployment;
  const own = { service, address: addressOf(serviceTypeOf(installation, deployment.options), service, pod) };
  const shared = { service: clients, address: balanced(clients) };
  if (!isShared(installation, deployment)) return own.address || !shared.address ? own : shared;
  const former = { service, address: balanced(service) };
  return shared.address || !former.address ? shared : former;
}

/** Whether the shared Service of former settings is of no use any more: each node's own is as clients need it, and has an address. */
export function isLeftOver(
  installation: Installation,
  deployment: Deployment,
  services: readonly (ApiObject | undefined)[],
): boolean {
  const type = serviceTypeOf(installation, deployment.options);
  return (
    deployment.clients !== undefined &&
    !isShared(installation, deployment) &&
    services.every((service) => typeOf(service) === type && (type !== 'LoadBalancer' || balanced(service)))
  );
}

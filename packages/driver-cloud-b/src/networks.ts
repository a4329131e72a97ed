import { ensure, remove, type Kind } from './api-changes.ts';
import type { compute_v1, Step } from './clients.ts';
import { removeGroups } from './members.ts';
import { networkMark, networkName, type NetworkOwner } from './names.ts';

export interface DeploymentNetwork {
  name: string;
  /** links to both */
  network: string;
  subnetwork: string;
  peerings: readonly compute_v1.Schema$NetworkPeering[];
}

/** The network of a deployment, whose only subnet for machines is the deployment's. Made unless it is there. */
export async function ensureNetwork(step: Step, owner: NetworkOwner): Promise<DeploymentNetwork> {
  const { subnet } = owner;
  if (subnet === null) throw new Error('the deployment has no subnet');
  const mark = networkMark(owner);
  const { selfLink, peerings } = await ensure(step, networkKind(step, owner), mark);
  const network = selfLink ?? '';
  const made = await ensure(step, subnetworkKind(step, owner, { network, subnet }), mark);
  return { name: networkName(owner), network, subnetwork: made.selfLink ?? '', peerings: peerings ?? [] };
}

/** Takes away what there is of a deployment's network. Nothing may be connected with it any more. */
export async function removeNetwork(step: Step, owner: NetworkOwner): Promise<void> {
  const mark = networkMark(owner);
  await removeGroups(step, owner);
  await remove(step, subnetworkKind(step, owner), mark);
  await remove(step, networkKind(step, owner), mark);
}

function networkKind({ api, project }: Step, owner: NetworkOwner): Kind<compute_v1.Schema$Network> {
  const network = networkName(owner);
  const requestBody = {
    ...{ name: network, description: networkMark(owner), autoCreateSubnetworks: false },
    routingConfig: { routingMode: 'REGIONAL' },
  };
  return {
    get: (options) => api.networks.get({ project, network }, options),
    insert: (options) => api.networks.insert({ project, requestBody }, options),
    delete: (options) => api.networks.delete({ project, network }, options),
  };
}

function subnetworkKind(
  { api, project, region }: Step,
  owner: NetworkOwner,
  { network, subnet }: { network: string; subnet: string } = { network: '', subnet: '' },
): Kind<compute_v1.Schema$Subnetwork> {
  const subnetwork = networkName(owner);
  const requestBody = { name: subnetwork, description: networkMark(owner), network, ipCidrRange: subnet };
  return {
    get: (options) => api.subnetworks.get({ project, region, subnetwork }, options),
    insert: (options) => api.subnetworks.insert({ project, region, requestBody }, options),
    delete: (options) => api.subnetworks.delete({ project, region, subnetwork }, options),
  };
}

import { ensure, kindOf, remove } from './api-changes.ts';
import type { compute_v1, Step } from './clients.ts';
import { removeGroups } from './members.ts';
import { networkMark, networkName, type NetworkOwner } from './names.ts';

export interface DeploymentNetwork {
  name: string;
  network: string;
  subnetwork: string;
  peerings: readonly compute_v1.Schema$NetworkPeering[];
}

/** The network of a deployment, whose only subnet for machines is the deployment's. Made unless it is there. */
export async function ensureNetwork(step: Step, owner: NetworkOwner): Promise<DeploymentNetwork> {
  if (owner.subnet === null) throw new Error('the deployment has no subnet');
  const { selfLink, peerings } = await ensure(step, networkKind(step, owner));
  const network = selfLink ?? '';
  const made = await ensure(step, subnetworkKind(step, owner, network));
  return { name: networkName(owner), network, subnetwork: made.selfLink ?? '', peerings: peerings ?? [] };
}

/** Takes away what there is of a deployment's network. Nothing may be connected with it any more. */
export async function removeNetwork(step: Step, owner: NetworkOwner): Promise<void> {
  await removeGroups(step, owner);
  await remove(step, subnetworkKind(step, owner));
  await remove(step, networkKind(step, owner));
}

const networkKind = ({ api, project }: Step, owner: NetworkOwner) =>
  kindOf<compute_v1.Schema$Network>(
    api.networks,
    'network',
    { project },
    {
      ...{ name: networkName(owner), description: networkMark(owner), autoCreateSubnetworks: false },
      routingConfig: { routingMode: 'REGIONAL' },
    },
  );

const subnetworkKind = ({ api, ...place }: Step, owner: NetworkOwner, network = '') =>
  kindOf<compute_v1.Schema$Subnetwork>(api.subnetworks, 'subnetwork', place, {
    ...{
      name: networkName(owner),
      description: networkMark(owner),
      network,
      ipCidrRange: owner.subnet ?? '',
    },
  });

import { randomUUID } from 'node:crypto';
import { idOf, type DeploymentId, type NetworkLinkId } from '@sluice/contracts';
import { aNode } from '#test/a-node.ts';
import { computeConformance, linksConformance, volumesConformance } from '@sluice/drivers/conformance';
import type { WantedLink } from '@sluice/drivers';
import { ThirdCloud } from './cloud.ts';
import { thirdCloudLinks } from './links.ts';
import { thirdCloudNodes } from './nodes.ts';
import { thirdCloudVolumes } from './volumes.ts';

const cloud = new ThirdCloud();

computeConformance('cloud_c', {
  isThere: () => true,
  driver: () => thirdCloudNodes(cloud),
  aNode,
  enrols: (node) => void (node.enrolled = true),
  present: async ({ id }) =>
    [...cloud.machines.values()].filter(({ node }) => node === id).map((one) => one.id),
  hasAgents: true,
});

volumesConformance('cloud_c', {
  isThere: () => true,
  driver: () => thirdCloudVolumes(cloud),
  async aNode() {
    const { id, deploymentUid } = aNode();
    cloud.create({ node: id, deployment: deploymentUid, token: undefined, rules: [] });
    const { volume } = cloud.machineOf(id);
    return {
      id,
      stored: async () => cloud.machineOf(id).volume.content,
      change: async () => void (volume.content = randomUUID()),
      remove: async () => cloud.machines.delete(id),
    };
  },
});

linksConformance('cloud_c', {
  isThere: () => true,
  isSafeForTwo: true,
  isElsewhere: true,
  driver: () => thirdCloudLinks(cloud),
  links: {
    'a peering': async () => {
      const link: WantedLink = {
        ...{ id: idOf<NetworkLinkId>(1), uid: randomUUID(), facts: {} },
        deployment: { id: idOf<DeploymentId>(1), uid: randomUUID(), subnet: '10.64.1.0/24', brokers: [] },
        ...{ kind: 'cloud_b_peering', status: 'inactive' },
        wanted: { peer_vpc_name: 'office', peer_project_id: 'acme', peer_vpc_cidr: '172.16.0.0/16' },
      };
      return { link, becomes: 'active' };
    },
  },
  present: async ({ uid }) => [...cloud.links].filter((link) => link === uid),
  changes: () => cloud.changes,
});

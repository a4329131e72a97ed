import {
  createCloudBPeering,
  createServiceAttachment,
  deleteCloudBPeering,
  deleteServiceAttachment,
  getCloudBPeeringInstructions,
  getServiceAttachmentInstructions,
  listAttachmentConnections,
  listCloudBPeerings,
  listServiceAttachments,
  type CloudBPeering,
  type NewCloudBPeering,
  type NewServiceAttachment,
  type ServiceAttachment,
} from '@sluice/client';
import { linksOf, peeringPath, type LinkOperationsByKind } from './cloud.ts';

export const cloudBLinks: LinkOperationsByKind = {
  peering: {
    usable: 'active',
    peer: (link) => {
      const { peer_project_id, peer_vpc_name, peer_vpc_cidr } = link as CloudBPeering;
      return `${peer_project_id} ${peer_vpc_name} ${peer_vpc_cidr}`;
    },
    list: async (call) => linksOf<CloudBPeering>('peering')(await listCloudBPeerings(call)),
    create: (call, body) => createCloudBPeering({ ...call, body: body as NewCloudBPeering }),
    remove: ({ path, ...call }, id) => deleteCloudBPeering({ ...call, ...peeringPath(path, id) }),
    instructions: ({ path, ...call }, id) =>
      getCloudBPeeringInstructions({ ...call, ...peeringPath(path, id) }),
  },
  'private-link': {
    usable: 'active',
    peer: (link) => (link as ServiceAttachment).consumer_accept_lists.join(', ') || 'any project',
    list: async (call) => linksOf<ServiceAttachment>('private-link')(await listServiceAttachments(call)),
    create: (call, body) => createServiceAttachment({ ...call, body: body as NewServiceAttachment }),
    remove: ({ path, ...call }, attachment_id) =>
      deleteServiceAttachment({ ...call, path: { ...path, attachment_id } }),
    instructions: ({ path, ...call }, attachment_id) =>
      getServiceAttachmentInstructions({ ...call, path: { ...path, attachment_id } }),
    connections: ({ path, ...call }, attachment_id) =>
      listAttachmentConnections({ ...call, path: { ...path, attachment_id } }),
  },
};

import {
  createCloudAPeering,
  createEndpointService,
  deleteCloudAPeering,
  deleteEndpointService,
  getCloudAPeeringInstructions,
  listCloudAPeerings,
  listEndpointServices,
  type CloudAPeering,
  type EndpointService,
  type NewCloudAPeering,
  type NewEndpointService,
} from '@sluice/client';
import { linksOf, peeringPath, type LinkOperationsByKind } from './cloud.ts';

export const cloudALinks: LinkOperationsByKind = {
  peering: {
    usable: 'active',
    peer: (link) => {
      const { accepter_owner_id, accepter_vpc_id, accepter_cidr } = link as CloudAPeering;
      return `${accepter_owner_id} ${accepter_vpc_id} ${accepter_cidr}`;
    },
    list: async (call) => linksOf<CloudAPeering>('peering')(await listCloudAPeerings(call)),
    create: (call, body) => createCloudAPeering({ ...call, body: body as NewCloudAPeering }),
    remove: ({ path, ...call }, id) => deleteCloudAPeering({ ...call, ...peeringPath(path, id) }),
    instructions: ({ path, ...call }, id) =>
      getCloudAPeeringInstructions({ ...call, ...peeringPath(path, id) }),
  },
  'private-link': {
    usable: 'available',
    peer: (link) => (link as EndpointService).allowed_principals.join(', ') || 'any account',
    list: async (call) => linksOf<EndpointService>('private-link')(await listEndpointServices(call)),
    create: (call, body) => createEndpointService({ ...call, body: body as NewEndpointService }),
    remove: ({ path, ...call }, service_id) =>
      deleteEndpointService({ ...call, path: { ...path, service_id } }),
  },
};

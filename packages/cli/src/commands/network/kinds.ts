import {
  createCloudAPeering,
  createCloudBPeering,
  createEndpointService,
  createServiceAttachment,
  deleteCloudAPeering,
  deleteCloudBPeering,
  deleteEndpointService,
  deleteServiceAttachment,
  getCloudAPeeringInstructions,
  getCloudBPeeringInstructions,
  getServiceAttachmentInstructions,
  listAttachmentConnections,
  listCloudAPeerings,
  listCloudBPeerings,
  listEndpointServices,
  listServiceAttachments,
  type AttachmentConnection,
  type CloudAPeering,
  type CloudBPeering,
  type EndpointService,
  type NetworkInstructions,
  type NewCloudAPeering,
  type NewCloudBPeering,
  type NewEndpointService,
  type NewServiceAttachment,
  type ServiceAttachment,
} from '@sluice/client';
import type { DeploymentCall } from '../entries/entries.ts';
import type { FieldTable } from '../entries/fields.ts';

export type LinkKind = 'peering' | 'private-link';

/** One of the four kinds, with what all have. */
export type Link = (CloudAPeering | CloudBPeering | EndpointService | ServiceAttachment) & {
  kind: LinkKind;
  status: string;
};

/** A kind of link on a cloud, by its operations. */
export interface Kind {
  fields: FieldTable;
  /** the status in which it can be used */
  usable: string;
  /** whom it is with */
  peer: (link: Link) => string;
  list: (call: DeploymentCall) => Promise<Link[]>;
  create: (call: DeploymentCall, body: object) => Promise<{ response: Response }>;
  remove: (call: DeploymentCall, id: number) => Promise<unknown>;
  instructions?: (call: DeploymentCall, id: number) => Promise<{ data: NetworkInstructions }>;
  connections?: (call: DeploymentCall, id: number) => Promise<{ data: AttachmentConnection[] }>;
}

/** in which a link is gone, and listed for an hour more */
export const gone: readonly string[] = ['deleted', 'closed'];
/** which it does not leave for the better */
export const failed: readonly string[] = ['rejected', 'expired', 'failed', 'deleting', ...gone];

type Listed = { status: string } | { state: string };

const as =
  <T extends Listed>(kind: LinkKind) =>
  ({ data }: { data: T[] }): (T & { kind: LinkKind; status: string })[] =>
    data.map((link) => ({ ...link, kind, status: 'status' in link ? link.status : link.state }));

const peerings = (path: DeploymentCall['path'], peering_id: number) => ({ path: { ...path, peering_id } });

export const kinds: Readonly<Record<string, Readonly<Record<LinkKind, Kind>>>> = {
  cloud_a: {
    peering: {
      fields: {
        peerVpcId: 'peer_vpc_id*',
        peerOwnerId: 'peer_owner_id*',
        peerVpcCidr: 'peer_vpc_cidr*',
        peerRegion: 'peer_region',
      },
      usable: 'active',
      peer: (link) => {
        const { accepter_owner_id, accepter_vpc_id, accepter_cidr } = link as CloudAPeering;
        return `${accepter_owner_id} ${accepter_vpc_id} ${accepter_cidr}`;
      },
      list: async (call) => as<CloudAPeering>('peering')(await listCloudAPeerings(call)),
      create: (call, body) => createCloudAPeering({ ...call, body: body as NewCloudAPeering }),
      remove: ({ path, ...call }, id) => deleteCloudAPeering({ ...call, ...peerings(path, id) }),
      instructions: ({ path, ...call }, id) =>
        getCloudAPeeringInstructions({ ...call, ...peerings(path, id) }),
    },
    'private-link': {
      fields: { allowedPrincipals: 'allowed_principals', acceptanceRequired: 'acceptance_required' },
      usable: 'available',
      peer: (link) => (link as EndpointService).allowed_principals.join(', ') || 'any account',
      list: async (call) => as<EndpointService>('private-link')(await listEndpointServices(call)),
      create: (call, body) => createEndpointService({ ...call, body: body as NewEndpointService }),
      remove: ({ path, ...call }, service_id) =>
        deleteEndpointService({ ...call, path: { ...path, service_id } }),
    },
  },
  cloud_b: {
    peering: {
      fields: {
        peerVpcName: 'peer_vpc_name*',
        peerProjectId: 'peer_project_id*',
        peerVpcCidr: 'peer_vpc_cidr*',
      },
      usable: 'active',
      peer: (link) => {
        const { peer_project_id, peer_vpc_name, peer_vpc_cidr } = link as CloudBPeering;
        return `${peer_project_id} ${peer_vpc_name} ${peer_vpc_cidr}`;
      },
      list: async (call) => as<CloudBPeering>('peering')(await listCloudBPeerings(call)),
      create: (call, body) => createCloudBPeering({ ...call, body: body as NewCloudBPeering }),
      remove: ({ path, ...call }, id) => deleteCloudBPeering({ ...call, ...peerings(path, id) }),
      instructions: ({ path, ...call }, id) =>
        getCloudBPeeringInstructions({ ...call, ...peerings(path, id) }),
    },
    'private-link': {
      fields: {
        consumerAcceptLists: 'consumer_accept_lists',
        connectionPreference: 'connection_preference',
        enableProxyProtocol: 'enable_proxy_protocol',
      },
      usable: 'active',
      peer: (link) => (link as ServiceAttachment).consumer_accept_lists.join(', ') || 'any project',
      list: async (call) => as<ServiceAttachment>('private-link')(await listServiceAttachments(call)),
      create: (call, body) => createServiceAttachment({ ...call, body: body as NewServiceAttachment }),
      remove: ({ path, ...call }, attachment_id) =>
        deleteServiceAttachment({ ...call, path: { ...path, attachment_id } }),
      instructions: ({ path, ...call }, attachment_id) =>
        getServiceAttachmentInstructions({ ...call, path: { ...path, attachment_id } }),
      connections: ({ path, ...call }, attachment_id) =>
        listAttachmentConnections({ ...call, path: { ...path, attachment_id } }),
    },
  },
};

import {
  createCloudAPeering,
  createEndpointService,
  deleteCloudAPeering,
  deleteEndpointService,
  getCloudAPeeringInstructions,
  listCloudAPeerings,
  listEndpointServices,
} from '@sluice/client';
import { sideOf, type LinkKind } from './cloud.ts';
import type { CloudAAction } from './cloud-a-actions.ts';

export const cloudALinks: readonly LinkKind<CloudAAction>[] = [
  {
    key: 'peering',
    title: 'Peerings',
    about: 'Connects the network of the deployment with a VPC of yours.',
    path: 'cloud_a/vpc_peering',
    create: 'createCloudAPeering',
    remove: 'deleteCloudAPeering',
    fields: [
      { key: 'peer_vpc_id', label: 'VPC', isRequired: true },
      { key: 'peer_owner_id', label: 'Account', about: '12 digits', isRequired: true },
      { key: 'peer_vpc_cidr', label: 'Block of the VPC', about: 'Such as 10.20.0.0/16', isRequired: true },
      { key: 'peer_region', label: 'Region', about: 'Empty for that of the deployment' },
    ],
    list: async (call, signal) =>
      (await listCloudAPeerings({ ...call, signal })).data.map((one) => ({
        ...one,
        facts: [
          ['Peering', one.peering_connection_id],
          ['This side', sideOf(one.requester_owner_id, one.requester_vpc_id, one.requester_cidr)],
          ['Your side', sideOf(one.accepter_owner_id, one.accepter_vpc_id, one.accepter_cidr)],
          ['Region', one.accepter_region],
        ],
      })),
    make: (call, body) => createCloudAPeering({ ...call, body: body as never }),
    destroy: ({ client, path }, peering_id) => deleteCloudAPeering({ client, path: { ...path, peering_id } }),
    instructions: async ({ client, path }, peering_id, signal) =>
      (await getCloudAPeeringInstructions({ client, path: { ...path, peering_id }, signal })).data,
  },
  {
    key: 'private-link',
    title: 'Private links',
    about: 'A service that endpoints in your VPCs are made for.',
    path: 'cloud_a/private_link',
    create: 'createEndpointService',
    remove: 'deleteEndpointService',
    fields: [
      {
        key: 'allowed_principals',
        label: 'Who may connect',
        about: 'ARNs or accounts, one per line; empty for any',
        isList: true,
      },
    ],
    list: async (call, signal) =>
      (await listEndpointServices({ ...call, signal })).data.map((one) => ({
        ...one,
        status: one.state,
        facts: [
          ['Service', one.service_name],
          ['Id', one.vpc_endpoint_service_id],
          ['Who may connect', one.allowed_principals.join(', ') || 'any account'],
          ['Endpoints', one.acceptance_required ? 'have to be accepted' : 'are accepted'],
        ],
      })),
    make: (call, body) => createEndpointService({ ...call, body }),
    destroy: ({ client, path }, service_id) =>
      deleteEndpointService({ client, path: { ...path, service_id } }),
  },
];

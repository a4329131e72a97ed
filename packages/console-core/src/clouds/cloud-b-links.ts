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
} from '@sluice/client';
import { sideOf, type LinkKind } from './cloud.ts';
import type { CloudBAction } from './cloud-b-actions.ts';

export const cloudBLinks: readonly LinkKind<CloudBAction>[] = [
  {
    key: 'peering',
    title: 'Peerings',
    about: 'Connects the network of the deployment with one of yours.',
    path: 'cloud_b/vpc_peering',
    create: 'createCloudBPeering',
    remove: 'deleteCloudBPeering',
    fields: [
      { key: 'peer_vpc_name', label: 'Network', isRequired: true },
      { key: 'peer_project_id', label: 'Project', isRequired: true },
      {
        key: 'peer_vpc_cidr',
        label: 'Block of the network',
        about: 'Such as 10.20.0.0/16',
        isRequired: true,
      },
    ],
    list: async (call, signal) =>
      (await listCloudBPeerings({ ...call, signal })).data.map((one) => ({
        ...one,
        status: one.state,
        facts: [
          ['This side', sideOf(one.project_id, one.vpc_name, one.cidr)],
          ['Your side', sideOf(one.peer_project_id, one.peer_vpc_name, one.peer_vpc_cidr)],
        ],
      })),
    make: (call, body) => createCloudBPeering({ ...call, body: body as never }),
    destroy: ({ client, path }, peering_id) => deleteCloudBPeering({ client, path: { ...path, peering_id } }),
    instructions: async ({ client, path }, peering_id, signal) =>
      (await getCloudBPeeringInstructions({ client, path: { ...path, peering_id }, signal })).data,
  },
  {
    key: 'private-link',
    title: 'Private links',
    about: 'An attachment that endpoints in your networks are made for.',
    path: 'cloud_b/private_service',
    create: 'createServiceAttachment',
    remove: 'deleteServiceAttachment',
    fields: [
      {
        key: 'consumer_accept_lists',
        label: 'Projects that are let in',
        about: 'One per line; empty for any',
        isList: true,
      },
    ],
    list: async (call, signal) =>
      (await listServiceAttachments({ ...call, signal })).data.map((one) => ({
        ...one,
        status: one.state,
        facts: [
          ['Attachment', one.service_attachment_uri],
          ['Projects', one.consumer_accept_lists.join(', ') || 'any'],
          [
            'Endpoints',
            one.connection_preference === 'accept_manual' ? 'have to be accepted' : 'are accepted',
          ],
        ],
      })),
    make: (call, body) => createServiceAttachment({ ...call, body }),
    destroy: ({ client, path }, attachment_id) =>
      deleteServiceAttachment({ client, path: { ...path, attachment_id } }),
    connections: async ({ client, path }, attachment_id, signal) =>
      (await listAttachmentConnections({ client, path: { ...path, attachment_id }, signal })).data,
    instructions: async ({ client, path }, attachment_id, signal) =>
      (await getServiceAttachmentInstructions({ client, path: { ...path, attachment_id }, signal })).data,
  },
];

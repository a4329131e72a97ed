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
  type Cloud,
  type NetworkInstructions,
  type SluiceClient,
} from '@sluice/client';
import type { ActionName } from '../../../api/actions.ts';

/** Where the operations go to. */
export interface Call {
  client: SluiceClient;
  path: { deployment_id: number };
}

export interface LinkField {
  key: string;
  label: string;
  about?: string;
  isRequired?: boolean;
  /** several, one per line */
  isList?: boolean;
}

/** A peering or a private link, whichever cloud it is of. */
export interface NetworkLink {
  id: number;
  name: string;
  status: string;
  status_reason: string | null;
  remarks: string | null;
  created_at: string;
  /** what the cloud knows it by, and what it connects */
  facts: readonly (readonly [name: string, value: string | null])[];
}

export interface LinkKind {
  key: 'peering' | 'private-link';
  title: string;
  about: string;
  /** the last segments of the path of its operations */
  path: string;
  create: ActionName;
  remove: ActionName;
  fields: readonly LinkField[];
  list: (call: Call, signal: AbortSignal) => Promise<NetworkLink[]>;
  make: (call: Call, body: Record<string, unknown>) => Promise<unknown>;
  destroy: (call: Call, id: number) => Promise<unknown>;
  /** the endpoints that are connected, or want to be */
  connections?: (call: Call, id: number, signal: AbortSignal) => Promise<AttachmentConnection[]>;
  /** what there is to do on the other side */
  instructions?: (call: Call, id: number, signal: AbortSignal) => Promise<NetworkInstructions>;
}

const cloudA: readonly LinkKind[] = [
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
    make: (call, body) => createEndpointService({ ...call, body: body as never }),
    destroy: ({ client, path }, service_id) =>
      deleteEndpointService({ client, path: { ...path, service_id } }),
  },
];

const cloudB: readonly LinkKind[] = [
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
    make: (call, body) => createServiceAttachment({ ...call, body: body as never }),
    destroy: ({ client, path }, attachment_id) =>
      deleteServiceAttachment({ client, path: { ...path, attachment_id } }),
    connections: async ({ client, path }, attachment_id, signal) =>
      (await listAttachmentConnections({ client, path: { ...path, attachment_id }, signal })).data,
    instructions: async ({ client, path }, attachment_id, signal) =>
      (await getServiceAttachmentInstructions({ client, path: { ...path, attachment_id }, signal })).data,
  },
];

/** The kinds of links that a cloud has. */
export const linkKinds: Record<Cloud, readonly LinkKind[]> = { cloud_a: cloudA, cloud_b: cloudB };

const sideOf = (...parts: (string | null)[]): string =>
  parts.filter((part) => part !== null).join(' · ') || 'not known yet';

/** What is sent for a new link: lists line by line, and nothing for what is empty. */
export function linkBody(
  fields: readonly LinkField[],
  { name, remarks, ...values }: Record<string, string>,
): Record<string, unknown> {
  const given = fields.flatMap(({ key, isList }) => {
    const text = values[key]?.trim() ?? '';
    if (text === '') return [];
    return [[key, isList ? text.split(/[\s,]+/) : text] as const];
  });
  return {
    name: name?.trim(),
    ...Object.fromEntries(given),
    ...(remarks?.trim() ? { remarks: remarks.trim() } : {}),
  };
}

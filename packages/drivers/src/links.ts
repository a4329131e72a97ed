import type { Cloud, DeploymentId, NetworkLinkId } from '@sluice/contracts';

/** Links: what connects a deployment's network with those of customers, in the words of each cloud (interface, 2.10 and 3). */

/** What is asked for, by kind. */
export interface LinkRequests {
  cloud_a_peering: {
    peer_vpc_id: string;
    /** the account that the peer's VPC is in, and its region: null for the deployment's */
    peer_owner_id: string;
    peer_region: string | null;
    peer_vpc_cidr: string;
  };
  cloud_a_service: {
    acceptance_required: boolean;
    /** accounts of 12 digits, ARNs or `*`; empty: any account */
    allowed_principals: string[];
  };
  cloud_b_peering: { peer_vpc_name: string; peer_project_id: string; peer_vpc_cidr: string };
  cloud_b_attachment: {
    connection_preference: 'accept_manual' | 'accept_automatic';
    /** projects; empty: any */
    consumer_accept_lists: string[];
    enable_proxy_protocol: boolean;
  };
}

export type LinkKind = keyof LinkRequests;

/** What the cloud says of one, as soon as it does. */
export interface LinkFacts {
  cloud_a_peering: { peering_connection_id: string; requester_vpc_id: string; requester_owner_id: string };
  cloud_a_service: { vpc_endpoint_service_id: string; service_name: string };
  cloud_b_peering: { vpc_name: string; project_id: string };
  cloud_b_attachment: { service_attachment_uri: string };
}

export interface LinkStatuses {
  cloud_a_peering:
    | 'initiating_request'
    | 'pending_acceptance'
    | 'provisioning'
    | 'active'
    | 'rejected'
    | 'expired'
    | 'failed'
    | 'deleting'
    | 'deleted';
  cloud_a_service: 'pending' | 'available' | 'deleting' | 'deleted' | 'failed';
  cloud_b_peering: 'inactive' | 'active' | 'deleted';
  cloud_b_attachment: 'pending' | 'active' | 'closed';
}
export type LinkStatus = LinkStatuses[LinkKind];

export type ConnectionStatus = 'pending' | 'accepted' | 'rejected' | 'closed' | 'needs_attention';

/** An endpoint of a customer at an attachment. */
export interface ObservedConnection {
  connection_id: string;
  consumer_project_id: string;
  consumer_network: string | null;
  consumer_forwarding_rule: string | null;
  status: ConnectionStatus;
}

/** In which statuses a link of each kind is at moments that do not depend on its cloud. */
export const linkMoments: {
  readonly [Kind in LinkKind]: Record<'asked' | 'gone', LinkStatuses[Kind]> & {
    /** while it is being deleted, and once it cannot be; left out where it stays as it is */
    leaving?: LinkStatuses[Kind];
    failed?: LinkStatuses[Kind];
  };
} = {
  cloud_a_peering: { asked: 'initiating_request', leaving: 'deleting', gone: 'deleted', failed: 'failed' },
  cloud_a_service: { asked: 'pending', leaving: 'deleting', gone: 'deleted', failed: 'failed' },
  cloud_b_peering: { asked: 'inactive', gone: 'deleted' },
  cloud_b_attachment: { asked: 'pending', gone: 'closed' },
};

/** In these nothing comes of a link any more, and its addresses are free for another. */
export const endedStatuses: readonly LinkStatus[] = ['rejected', 'expired', 'failed', 'deleted', 'closed'];

export const cloudOf = (kind: LinkKind) => kind.slice(0, kind.lastIndexOf('_')) as Cloud;
export const isPeering = (kind: LinkKind) => kind.endsWith('peering');

/** the protocols that endpoints are led to */
export const linkProtocols = ['broker_tcp', 'broker_http', 'broker_websocket'] as const;
export type LinkProtocol = (typeof linkProtocols)[number];

/** A deployment as its links lead to it. Uid and subnet are null when it is gone. */
export interface LinkedDeployment {
  id: DeploymentId;
  uid: string | null;
  subnet: string | null;
  /** where its brokers are in the subnet, by the protocols that they speak */
  brokers: { address: string; ports: Partial<Record<LinkProtocol, number>> }[];
}

/** What a driver has to know of a link. */
export type WantedLink = {
  [Kind in LinkKind]: {
    kind: Kind;
    id: NetworkLinkId;
    /** by which it is found at the cloud, whatever is known of it here */
    uid: string;
    deployment: LinkedDeployment;
    wanted: LinkRequests[Kind];
    /** as they were last seen */
    facts: Partial<LinkFacts[Kind]>;
    status: LinkStatuses[Kind];
  };
}[LinkKind];

/** How a link is. */
export interface LinkState {
  status: LinkStatus;
  /** why, for people */
  reason?: string;
  facts: Partial<LinkFacts[LinkKind]>;
  /** of an attachment: all that there are */
  connections?: readonly ObservedConnection[];
  /** when it is worthwhile to look again */
  lookAgainSeconds: number;
}

/** How far a link of the emulated network is; of its own accord it goes from `accepted` to `ready`. */
export type EmulatedState = 'asked' | 'accepted' | 'ready' | 'rejected' | 'failed' | 'withdrawn';
/** what the other side does of itself */
export type EmulatedPeer = 'wait' | 'accept' | 'reject';
export interface EmulatedConnection {
  connection_id: string;
  project: string;
  network: string;
  forwarding_rule: string;
  /** what follows from the attachment's preference and list when absent */
  status?: ConnectionStatus;
}

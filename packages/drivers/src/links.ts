import type {
  Cloud,
  DeploymentId,
  LinkFacts,
  LinkKind,
  LinkRequests,
  LinkStatus,
  LinkStatuses,
  NetworkLinkId,
} from '@sluice/contracts';

export {
  linkForms,
  type EmulatedState,
  type LinkFacts,
  type LinkForm,
  type LinkKind,
  type LinkRequests,
  type LinkStatus,
  type LinkStatuses,
} from '@sluice/contracts';

/** Links: what connects a deployment's network with those of customers, in the words of each cloud (interface, 2.10 and 3). */

export type ConnectionStatus = 'pending' | 'accepted' | 'rejected' | 'closed' | 'needs_attention';

export interface ObservedConnection {
  connection_id: string;
  consumer_project_id: string;
  consumer_network: string | null;
  consumer_forwarding_rule: string | null;
  status: ConnectionStatus;
}

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

export type WantedLink = {
  [Kind in LinkKind]: {
    kind: Kind;
    id: NetworkLinkId;
    /** by which it is found at the cloud, without the database */
    uid: string;
    deployment: LinkedDeployment;
    wanted: LinkRequests[Kind];
    /** as they were last seen */
    facts: Partial<LinkFacts[Kind]>;
    status: LinkStatuses[Kind];
  };
}[LinkKind];

export interface LinkState {
  status: LinkStatus;
  reason?: string;
  facts: Partial<LinkFacts[LinkKind]>;
  /** of an attachment: all that there are */
  connections?: readonly ObservedConnection[];
  /** when it is worthwhile to look again */
  lookAgainSeconds: number;
}

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

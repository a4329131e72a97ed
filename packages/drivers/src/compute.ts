import type { Job } from '@sluice/controller';
import type {
  BrokerResources,
  DeploymentId,
  DeploymentSpec,
  DeploymentStatus,
  NodeId,
  Protocol,
  ProvidedOptions,
  RegionOption,
} from '@sluice/contracts';
import type { BrokerPlace } from './broker-place.ts';

export interface NetworkRule {
  protocols: readonly Protocol[];
  cidr_blocks: readonly string[];
  valid_to: Date | null;
}

export interface NodeShape extends Pick<DeploymentSpec, 'tier' | 'storage'> {
  resources: BrokerResources;
}

export interface WantedNode {
  shape: NodeShape;
  /** the shapes that nodes of its deployment have: its own, and during an upgrade also the other one */
  shapes: readonly NodeShape[];
  rules: readonly NetworkRule[];
  /** whether its deployment is a cluster, whose brokers speak with each other */
  isCluster: boolean;
  /** whether its agent, and with it its broker, may be restarted while they run: in a cluster one node at a time */
  mayRestart: boolean;
}

/** The name of the driver that makes the nodes of a byoc deployment, which stays when the setting is changed. */
export type ByocDriver = string;

/** A node, as a driver has to know it to tell it from another with the same id. */
export interface NodeToObserve {
  id: NodeId;
  deploymentId: DeploymentId;
  deploymentUid: string;
  tenantId: DeploymentSpec['tenant_id'];
  siblings: readonly NodeId[];
  options: readonly RegionOption[];
  /** what makes it; null for what makes the region's own nodes */
  byocDriver: ByocDriver | null;
  /** whether it has held data */
  deployed: boolean;
  /** whether the supervisor has an agent's key for this node */
  enrolled: boolean;
  /** the mark of the token that an agent can enrol with now; null when there is none */
  tokenMark: string | null;
  /** whether a person has taken that key away; the agent enrols again only when they let it */
  revoked: boolean;
  wanted(): Promise<WantedNode>;
}

/** A node, as a driver needs to know it. Where it has held data and nothing of that is left, the call rejects instead of making it anew. */
export interface NodeToEnsure extends NodeToObserve {
  /**
   * Makes a new one-time token, with which the node's agent enrols; former tokens of the node are void. `anew` also
   * forgets the agent that had enrolled. Undefined when an agent has enrolled meanwhile. Rejects once the call is given up.
   */
  issueToken(options: { anew: boolean }): Promise<string | undefined>;
  /** whether a token that was issued earlier can still be used */
  hasToken(token: string): boolean;
}

/**
 * What there is of a node: `none` nothing at all; `stopped` something, but no agent at work (also when it is half
 * removed); `running` an agent.
 */
export type NodePresence = 'none' | 'stopped' | 'running';

/** Where clients reach a node, for drivers that place it elsewhere than where its gateway says that it listens. */
export interface NodeAddress {
  /** an IP address or a name */
  host: string;
  /** the port that leads to the gateway's port of a protocol; absent where these are the same */
  ports?: Partial<Record<Protocol, number>>;
}

export interface NodePlacement {
  /** undefined while it is on none */
  machine?: string | undefined;
  /** undefined where the machine is in none */
  zone?: string | undefined;
  /** whether its address is reachable from a private network alone */
  isPrivate: boolean;
  /** whether no other tenant has a broker on its machine */
  isDedicated: boolean;
}

export interface ObservedMachine {
  presence: NodePresence;
  /** whether it has to be brought to what it should be, although an agent may be at work */
  drifted?: boolean;
  /** whether it gets to what it should be by a restart, for which it waits until it may */
  awaitsRestart?: boolean;
  /** whether what it has stored is gone, although something else of it may be there */
  dataGone?: boolean;
  /** why it is not at work, as people read it */
  reason?: string;
  /** what it waits for that no driver can do, as people read it: meanwhile it is not to be brought up */
  waitsFor?: string;
  /** how soon another look is worthwhile without an event, in seconds; the driver's own time, or minutes, when absent */
  lookAgainSeconds?: number;
  /** null while it is not known; absent where clients reach it at the address of its gateway */
  address?: NodeAddress | null;
  /** needed only where its deployment asks for options */
  placement?: NodePlacement;
}

/** A node that there is, and whose it was when it was made, where that is known. */
export interface FoundNode {
  id: NodeId;
  deploymentUid: string | null;
}

/**
 * On what a driver is called. A call may be given up, by its limit of time or since another replica works on the deployment, and
 * then come to its end late, beside a later call: it must not do anything then.
 */
export interface DriverCall {
  /**
   * Larger than that of every call for this deployment before it was in other hands. For providers that can compare it (a condition,
   * a version, a tag): they refuse a call with a smaller one than they have seen.
   */
  fence: number;
  /** aborted when the call is given up */
  signal: AbortSignal;
  /** To be awaited right before what cannot be taken back, where the provider does not compare fences. @throws when it is given up */
  confirm(): Promise<void>;
}

/**
 * Makes and removes the machines of a deployment. Every call may be repeated, also after one that was cut short, and ends within
 * its limit (`DRIVER_…_SECONDS`) or is given up: what takes minutes is begun by one call and found to be done by another.
 */
export interface ComputeDriver {
  /** the phases in which a deployment's nodes come up */
  readonly phases: readonly DeploymentStatus[];
  /** what it does periodically, on each replica */
  readonly jobs?: readonly Job[];
  /** absent where brokers of a cluster are on one machine */
  readonly brokerPlace?: BrokerPlace;
  /** the options of deployments that it provides; main-api refuses the others */
  readonly options: ProvidedOptions;
  /**
   * Brings the node up, or restarts its agent, and mends what has drifted. Its agent may need a while before it runs. What another
   * deployment has left under the node's id is removed first, and an agent whose key the supervisor does not have enrols anew, with the
   * node's data.
   */
  ensureNode(node: NodeToEnsure, call: DriverCall): Promise<void>;
  /** Removes the node with its data. Resolves when nothing of it is left. */
  removeNode(nodeId: NodeId, call: DriverCall): Promise<void>;
  /** What is another deployment's, or an agent's whose key the supervisor does not have, is `stopped`. */
  observe(node: NodeToObserve, call: DriverCall): Promise<ObservedMachine>;
  /** All nodes that there are, also those of other installations. */
  list(): Promise<FoundNode[]>;
  /**
   * Calls `changed` as soon as nodes may have to be looked at: their agent has ended, or they are gone. It may do so for nothing, and
   * for nodes that are not this installation's. @returns how to stop
   */
  watch?(changed: (nodes: readonly NodeId[]) => void): () => void;
  /** how soon a look is worthwhile without an event, in seconds, for a driver that cannot `watch` */
  readonly observeEverySeconds?: number;
}

import type { DeploymentId, DeploymentStatus, NodeId } from '@sluice/contracts';

/** A node, as a driver needs to know it. */
export interface NodeToEnsure {
  id: NodeId;
  deploymentId: DeploymentId;
  /** whether it has held data: where there is nothing of it, the call rejects instead of making it anew */
  deployed: boolean;
  /** whether the supervisor has an agent's key for this node */
  enrolled: boolean;
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

/**
 * On what a driver is called. A call may be given up, by its limit of time or since somebody else is at work on the deployment, and
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
  /** Brings the node up, or restarts its agent. Its agent may need a while before it runs. */
  ensureNode(node: NodeToEnsure, call: DriverCall): Promise<void>;
  /** Removes the node with its data. Resolves when nothing of it is left. */
  removeNode(nodeId: NodeId, call: DriverCall): Promise<void>;
  observe(nodeId: NodeId, call: DriverCall): Promise<NodePresence>;
  /**
   * Calls `changed` as soon as nodes may have to be looked at: their agent has ended, or they are gone. It may do so for nothing, and
   * for nodes that are not this installation's. @returns how to stop
   */
  watch?(changed: (nodes: readonly NodeId[]) => void): () => void;
  /** how soon a look is worthwhile although nothing was told, in seconds, for a driver that cannot `watch` */
  readonly observeEverySeconds?: number;
}

import type { DeploymentId, DeploymentStatus, NodeId } from '@sluice/contracts';

/** A node, as a driver needs to know it. */
export interface NodeToEnsure {
  id: NodeId;
  deploymentId: DeploymentId;
  /** whether the supervisor has an agent's key for this node */
  enrolled: boolean;
  /**
   * Makes a new one-time token, with which the node's agent enrols; former tokens of the node are void. `anew` also
   * forgets the agent that had enrolled. Undefined when an agent has enrolled meanwhile.
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

/** Makes and removes the machines of a deployment. Every call may be repeated, also after one that was cut short. */
export interface ComputeDriver {
  /** the phases in which a deployment's nodes come up */
  readonly phases: readonly DeploymentStatus[];
  /** Brings the node up, or restarts its agent. Its agent may need a while before it runs. */
  ensureNode(node: NodeToEnsure): Promise<void>;
  /** Removes the node with its data. Resolves when nothing of it is left. */
  removeNode(nodeId: NodeId): Promise<void>;
  observe(nodeId: NodeId): Promise<NodePresence>;
}

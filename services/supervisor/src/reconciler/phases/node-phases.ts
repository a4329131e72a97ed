import type { DeploymentStatus } from '@sluice/contracts';
import type { Observed, ObservedNode, Phase, Step } from './phase.ts';

/** How soon a deployment is reconciled without having been woken: while it waits for its nodes, and once it has failed. */
const waitingSeconds = 5;
const failedSeconds = 30;

/** Keeps the agents running. */
export function upkeep({ status, nodes, restSeconds }: Observed, secondsLeft = Infinity): Step {
  if (nodes.some(({ presence, drifted }) => presence !== 'running' || drifted === true))
    return { do: 'ensure_nodes' };
  return { do: 'wait', seconds: Math.min(restOf(status), restSeconds, secondsLeft) };
}

function restOf(status: DeploymentStatus): number {
  if (status === 'failed') return failedSeconds;
  return status === 'initialized' || status === 'stopped' ? Infinity : waitingSeconds;
}

/** Until each node has an agent that has enrolled. */
export const waitingForNodes: Phase = {
  status: 'waiting_for_nodes',
  dependsOnNodes: true,
  lacks: ({ nodes }) => listed(nodes, unenrolled),
  next: upkeep,
};

/** Until each node's broker runs in the configuration that it should have. */
export const deployingNodes: Phase = {
  status: 'deploying_nodes',
  dependsOnNodes: true,
  lacks: ({ nodes, revision }) => listed(nodes, (node) => undeployed(node, revision)),
  next: upkeep,
};

/** Why its agent is not at work; null when it is. */
export function absence({ presence, reason }: ObservedNode): string | null {
  if (presence === 'running') return null;
  return `its agent does not run${reason === undefined ? '' : `: ${reason}`}`;
}

function unenrolled(node: ObservedNode): string | null {
  const { enrolled } = node;
  const absent = absence(node);
  if (absent !== null) return absent;
  return enrolled ? null : 'its agent has not enrolled';
}

/** What lacks until the node's broker runs in this revision of its configuration, or is stopped where somebody wants that. */
export function undeployed(node: ObservedNode, revision: number): string | null {
  const { stopped, broker, appliedRevision, drifted, address } = node;
  const absent = absence(node);
  if (absent !== null) return absent;
  if (drifted === true) return 'it is not as it should be yet';
  if (address === null) return 'it has no address yet';
  if (!broker) return 'its agent has not reported';
  if (broker.status !== (stopped ? 'stopped' : 'running')) {
    return `its broker is ${broker.status}${broker.reason === null ? '' : ` (${broker.reason})`}`;
  }
  return appliedRevision >= revision ? null : 'its agent has not applied the configuration';
}

/** What nodes lack, as people read it; null when none lacks anything. */
export function listed(
  nodes: readonly ObservedNode[],
  lacks: (node: ObservedNode) => string | null,
): string | null {
  const lines = nodes.flatMap((node) => {
    const lacking = lacks(node);
    return lacking === null ? [] : [`node ${node.name}: ${lacking}`];
  });
  return lines.length === 0 ? null : lines.join('; ');
}

import type { DeploymentStatus } from '@sluice/contracts';
import type { Observed, ObservedNode, Phase, Step } from './phase.ts';

/** How soon a deployment is reconciled without having been woken: while it waits for its nodes, and once it has failed. */
const waitingSeconds = 5;
const failedSeconds = 30;

/** Keeps the agents running. */
export function upkeep({ status, nodes, restSeconds }: Observed, secondsLeft = Infinity): Step {
  if (nodes.some(({ presence }) => presence !== 'running')) return { do: 'ensure_nodes' };
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

function unenrolled({ presence, enrolled }: ObservedNode): string | null {
  if (presence !== 'running') return 'its agent does not run';
  return enrolled ? null : 'its agent has not enrolled';
}

/** What lacks until the node's broker runs in this revision of its configuration, or is stopped where somebody wants that. */
export function undeployed(
  { presence, stopped, broker, appliedRevision }: ObservedNode,
  revision: number,
): string | null {
  if (presence !== 'running') return 'its agent does not run';
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

import { statusIs, type DeploymentStatus } from '@sluice/contracts';
import { lacksQuiet } from './cluster.ts';
import { listed, undeployed, unenrolled } from './lacking.ts';
import type { Observed, ObservedNode, Phase, Step } from './phase.ts';

/** How soon a deployment is reconciled without having been woken: while it waits for its nodes, and once it has failed. */
const waitingSeconds = 5;
const failedSeconds = 30;

/** Keeps the agents running. */
export function upkeep({ status, nodes, restSeconds }: Observed, secondsLeft = Infinity): Step {
  const isToBring = ({ presence, drifted, waitsFor }: ObservedNode) =>
    waitsFor === undefined && (presence !== 'running' || drifted === true);
  if (nodes.some(isToBring)) return { do: 'ensure_nodes' };
  // what is waited for wakes the deployment, and can take days
  const waits = nodes.some(({ waitsFor }) => waitsFor !== undefined);
  return { do: 'wait', seconds: Math.min(waits ? Infinity : restOf(status), restSeconds, secondsLeft) };
}

function restOf(status: DeploymentStatus): number {
  if (status === 'failed') return failedSeconds;
  return statusIs('acceptsTasks', status) ? Infinity : waitingSeconds;
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
  lacks: (observed) =>
    listed(observed.nodes, (node) => undeployed(node, observed.revision)) ?? lacksQuiet(observed),
  next: upkeep,
};

import type { AppliedState } from '@sluice/contracts';
import { isOf, ofOneNode } from '../../compute/capacity.ts';
import { lacksCopies, lacksQuiet } from './cluster.ts';
import { listed, undeployed } from './lacking.ts';
import { upkeep } from './node-phases.ts';
import type { Observed, ObservedNode, Phase, Step } from './phase.ts';

/** The statuses in which a deployment that runs is changed, and from which it comes back to `initialized`. */
export const upgradePhases: readonly Phase[] = [
  {
    status: 'upgrading',
    dependsOnNodes: true,
    lacks: (observed) => lacks(observed, targetOf(observed)),
    next: (observed, secondsLeft) => {
      const reason = refusals(observed);
      return reason === null
        ? reshape(observed, targetOf(observed), secondsLeft)
        : { do: 'roll_back', reason };
    },
    missed: (reason) => ({ do: 'roll_back', reason }),
    done: { do: 'end_upgrade' },
  },
  {
    status: 'extending',
    dependsOnNodes: true,
    lacks: (observed) =>
      listed(observed.nodes, (node) => undeployed(node, observed.revision)) ?? lacksQuiet(observed),
    next: upkeep,
    done: { do: 'end_upgrade' },
  },
  {
    status: 'rolling_back',
    dependsOnNodes: true,
    lacks: (observed) => lacks(observed, null),
    next: (observed, secondsLeft) => reshape(observed, null, secondsLeft),
    done: { do: 'end_upgrade' },
  },
];

const targetOf = ({ upgrade }: Observed) => upgrade?.upgrade_id ?? null;

function lacks(observed: Observed, target: string | null): string | null {
  return listed(observed.nodes, (node) => unshaped(observed, node, target)) ?? lacksQuiet(observed);
}

/** What the node lacks until its broker runs with the resources that are meant for it. */
function unshaped(observed: Observed, node: ObservedNode, target: string | null): string | null {
  const { revision, nodes, upgrade, resources } = observed;
  if (node.upgradeId !== target) return 'its turn has not come';
  const undone = undeployed(node, revision);
  if (undone !== null) return undone;
  // one that is stopped takes up what it may use when it is started
  if (node.stopped) return null;
  const wanted = target !== null && upgrade ? upgrade.resources : resources;
  const capacity = hasApplied(node, revision) ? node.applied.capacity : null;
  if (capacity === null) return 'its agent does not say what its broker may use';
  return isOf(capacity, ofOneNode(wanted, nodes.length)) ? null : 'its broker may use something else';
}

/** One node after the other, so that the others go on meanwhile. */
function reshape(observed: Observed, target: string | null, secondsLeft: number): Step {
  const next = inTurn(observed).find((node) => unshaped(observed, node, target) !== null);
  // one that has failed with the new resources goes back although it is not well
  const turn = observed.cluster?.turn ?? null;
  const mayGoOn = turn === null || turn === next?.id;
  const isReady = next && mayGoOn && lacksCopies(observed, target === null ? next.id : undefined) === null;
  if (next && next.upgradeId !== target && isReady)
    return { do: 'reshape_node', node: next.id, upgradeId: target };
  return upkeep(observed, secondsLeft);
}

/** In a cluster the one that has been let restart comes first, as does one that is not well, and the one that leads comes last. */
function inTurn({ cluster, nodes }: Observed): readonly ObservedNode[] {
  if (!cluster) return nodes;
  const place = ({ id, broker, cluster: state }: ObservedNode) => {
    if (id === cluster.turn) return 0;
    if (broker?.status !== 'running') return 1;
    return state?.leader === true ? 3 : 2;
  };
  return [...nodes].sort((one, other) => place(one) - place(other));
}

/** Why nodes refuse the resources; null when none does. */
function refusals({ nodes, revision, upgrade }: Observed): string | null {
  return listed(nodes, (node) => {
    const hasTarget = upgrade?.upgrade_id === node.upgradeId && hasApplied(node, revision);
    return hasTarget && node.broker?.status === 'failed' ? (node.broker.reason ?? 'its broker failed') : null;
  });
}

/** Whether what its agent says is about this revision. */
function hasApplied(node: ObservedNode, revision: number): node is ObservedNode & { applied: AppliedState } {
  return (node.applied?.revision ?? 0) >= revision;
}

import type { NodeId } from '@sluice/contracts';
import type { NodeToEnsure, NodeToObserve } from '@sluice/drivers';
import { createDrivers } from '../src/drivers.ts';

export interface Simulation {
  /** the nodes from this id on have been running all along */
  runningFrom?: number;
  /** Called with the one-time token of a node, for the simulated agents. */
  enrol?: (node: NodeId, token: string) => void;
}

/** Drivers whose nodes are nowhere but in this process: each runs as soon as it is wanted. */
export function simulatedDrivers({ runningFrom = Infinity, enrol }: Simulation): typeof createDrivers {
  return async (...options) => {
    const { network } = await createDrivers(...options);
    const running = new Set<NodeId>();
    const runs = (node: NodeId) => node >= runningFrom || running.has(node);
    const compute = {
      phases: ['waiting_for_nodes', 'deploying_nodes'] as const,
      options: {},
      async ensureNode(node: NodeToEnsure) {
        if (runs(node.id)) return;
        const token = await node.issueToken({ anew: false });
        if (token !== undefined) enrol?.(node.id, token);
        running.add(node.id);
      },
      list: () => Promise.resolve([...running].map((id) => ({ id, deploymentUid: null }))),
      removeNode: (node: NodeId) => Promise.resolve(void running.delete(node)),
      // nothing ever happens to them
      watch: () => () => undefined,
      // an agent that has enrolled runs, whichever replica has made it
      observe: ({ id, enrolled }: NodeToObserve) =>
        Promise.resolve({ presence: runs(id) || enrolled ? ('running' as const) : ('none' as const) }),
    };
    return { compute, network };
  };
}

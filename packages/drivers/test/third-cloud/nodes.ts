import type { NodeId } from '@sluice/contracts';
import type { ComputeDriver, NodeToObserve } from '@sluice/drivers';
import type { ThirdCloud } from './cloud.ts';

export function thirdCloudNodes(cloud: ThirdCloud): ComputeDriver {
  const isOfAnother = ({ id, deploymentUid }: NodeToObserve) => {
    const deployment = cloud.machines.get(id)?.deployment;
    return deployment !== undefined && deployment !== deploymentUid;
  };
  const remove = (node: NodeId) => {
    if (cloud.machines.delete(node)) cloud.changes += 1;
  };

  return {
    phases: ['waiting_for_nodes', 'deploying_nodes'],
    options: {},
    observeEverySeconds: 0.2,

    async ensureNode(node, call) {
      const isForeign = isOfAnother(node);
      if (cloud.machines.has(node.id) && !isForeign) return;
      if (node.deployed) throw new Error(`the data of node ${node.id} is gone`);
      const token = await node.issueToken({ anew: node.enrolled });
      await call.confirm();
      if (isForeign) remove(node.id);
      const { rules } = await node.wanted();
      cloud.create({ node: node.id, deployment: node.deploymentUid, token, rules });
    },

    async removeNode(node, call) {
      if (cloud.machines.has(node)) await call.confirm();
      remove(node);
    },

    async observe(node) {
      const machine = cloud.machines.get(node.id);
      if (!machine) return { presence: 'none' };
      const isAtWork = node.enrolled && !isOfAnother(node);
      return { presence: isAtWork ? 'running' : 'stopped', placement: placementOf(machine.id) };
    },

    list: async () =>
      [...cloud.machines.values()].map(({ node, deployment }) => ({ id: node, deploymentUid: deployment })),
  };
}

const placementOf = (machine: string) => ({ machine, isPrivate: false, isDedicated: true });

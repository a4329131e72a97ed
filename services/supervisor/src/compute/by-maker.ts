import type { NodeId } from '@sluice/contracts';
import type { ByocDriver, ComputeDriver } from './compute-driver.ts';

/**
 * One driver for all deployments of a region: those of its own nodes go to `own`, byoc ones to what they were made for. What is no
 * deployment's node may be anybody's, and is removed by all.
 * @param newByoc what makes the nodes of new byoc deployments
 * @param findMaker what makes a node; undefined where no deployment has it, null where `own` does
 */
export function byMaker(
  findMaker: (node: NodeId) => Promise<ByocDriver | null | undefined>,
  own: ComputeDriver,
  byoc: Partial<Record<ByocDriver, ComputeDriver>>,
  newByoc: ByocDriver,
): ComputeDriver {
  const of = (maker: ByocDriver | null) => {
    const driver = maker === null ? own : byoc[maker];
    if (!driver) throw new Error(`this supervisor is not set up to make nodes by ${maker}`);
    return driver;
  };
  const all = [own, ...Object.values(byoc)];
  return {
    ...own,
    options: { ...own.options, ...byoc[newByoc]?.options },
    ensureNode: async (node, call) => await of(node.byocDriver).ensureNode(node, call),
    observe: async (node, call) => await of(node.byocDriver).observe(node, call),
    async removeNode(nodeId, call) {
      const maker = await findMaker(nodeId);
      if (maker !== undefined) return await of(maker).removeNode(nodeId, call);
      for (const driver of all) await driver.removeNode(nodeId, call);
    },
    async list() {
      return (await Promise.all(all.map((driver) => driver.list()))).flat();
    },
  };
}

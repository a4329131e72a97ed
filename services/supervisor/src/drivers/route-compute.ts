import type { NodeId } from '@sluice/contracts';
import type { ByocDriver, ComputeDriver } from '@sluice/drivers';

/** By the names of drivers; one that this supervisor is not set up for is undefined. */
export type ByDriver<Driver> = Readonly<Record<ByocDriver, Driver | undefined>>;

/**
 * One driver for all deployments of a region: those of its own nodes go to `own`, byoc ones to the driver that they were made for. A node
 * of no known deployment may be any driver's, and is removed by all.
 * @param newByoc the driver of new byoc deployments
 * @param findProvisioner the driver of a node; undefined where no deployment has it, null for `own`
 */
export function routeByProvisioner(
  findProvisioner: (node: NodeId) => Promise<ByocDriver | null | undefined>,
  own: ComputeDriver,
  byoc: ByDriver<ComputeDriver>,
  newByoc: ByocDriver,
): ComputeDriver {
  const of = (name: ByocDriver | null) => {
    const driver = name === null ? own : byoc[name];
    if (!driver) throw new Error(`this supervisor is not set up to make nodes by ${name}`);
    return driver;
  };
  const all = [own, ...Object.values(byoc)].filter((driver) => driver !== undefined);
  return {
    ...own,
    // of those that are set up, whichever makes new deployments: each keeps the driver that it was made with
    jobs: all.flatMap(({ jobs = [] }) => jobs),
    options: { ...own.options, ...byoc[newByoc]?.options },
    ensureNode: async (node, call) => await of(node.byocDriver).ensureNode(node, call),
    observe: async (node, call) => await of(node.byocDriver).observe(node, call),
    async removeNode(nodeId, call) {
      const name = await findProvisioner(nodeId);
      if (name !== undefined) return await of(name).removeNode(nodeId, call);
      for (const driver of all) await driver.removeNode(nodeId, call);
    },
    async list() {
      return (await Promise.all(all.map((driver) => driver.list()))).flat();
    },
  };
}

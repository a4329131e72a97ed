import type { NodeId } from '@sluice/contracts';
import type { ByocDriver, VolumeDriver } from '@sluice/drivers';
import type { ByDriver } from './route-compute.ts';

/** The driver of a node, or of the node that a copy is of: undefined where none is known, null for the region's own. */
export interface Provisioners {
  ofNode(node: NodeId): Promise<ByocDriver | null | undefined>;
  ofCopy(copy: string): Promise<ByocDriver | null | undefined>;
}

/**
 * One driver for all deployments of a region: volumes of its own nodes go to `own`, those of byoc ones to the driver of their nodes. A copy
 * of no known backup may be any driver's, and is asked of all.
 */
export function routeVolumesByProvisioner(
  provisioners: Provisioners,
  own: VolumeDriver | undefined,
  byoc: ByDriver<VolumeDriver>,
): VolumeDriver {
  const all = [own, ...Object.values(byoc)].filter((driver) => driver !== undefined);
  const longest = Math.max(0, ...all.map(({ restartSeconds = 0 }) => restartSeconds));
  const of = (name: ByocDriver | null | undefined) => {
    const driver = name === null || name === undefined ? own : byoc[name];
    if (!driver)
      throw new Error(`this supervisor is not set up to copy volumes of ${name ?? 'its own nodes'}`);
    return driver;
  };
  const ofNode = async ({ node }: { node: NodeId }) => of(await provisioners.ofNode(node));
  return {
    ...(longest > 0 && { restartSeconds: longest }),
    volumeOf: String,
    copy: async (volume, call) => await (await ofNode(volume)).copy(volume, call),
    seal: async (volume, call) => await (await ofNode(volume)).seal(volume, call),
    stage: async (volume, digest, call) => await (await ofNode(volume)).stage(volume, digest, call),
    swap: async (volume, call) => await (await ofNode(volume)).swap(volume, call),
    swapBack: async (volume, call) => await (await ofNode(volume)).swapBack(volume, call),
    async clear(run) {
      for (const driver of all) await driver.clear(run);
    },
    async remove(copy) {
      const name = await provisioners.ofCopy(copy);
      if (name !== undefined) return await of(name).remove(copy);
      for (const driver of all) await driver.remove(copy);
    },
    async list() {
      const lists = await Promise.all(all.map((driver) => driver.list()));
      return {
        unfinished: lists.flatMap(({ unfinished }) => unfinished),
        runs: [...new Set(lists.flatMap(({ runs }) => runs))],
      };
    },
  };
}

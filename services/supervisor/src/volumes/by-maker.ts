import type { NodeId } from '@sluice/contracts';
import type { ByocDriver } from '../compute/compute-driver.ts';
import type { VolumeDriver } from './volume-driver.ts';

/** What makes a node, or what a copy is of: undefined where nobody knows it, null for the region's own. */
export interface Makers {
  ofNode(node: NodeId): Promise<ByocDriver | null | undefined>;
  ofCopy(copy: string): Promise<ByocDriver | null | undefined>;
}

/**
 * One driver for all deployments of a region: volumes of its own nodes go to `own`, those of byoc ones to what belongs to their maker. What
 * nobody knows may be anybody's, and is asked of all.
 */
export function volumesByMaker(
  makers: Makers,
  own: VolumeDriver | undefined,
  byoc: Partial<Record<ByocDriver, VolumeDriver>>,
): VolumeDriver {
  const all = [...(own ? [own] : []), ...Object.values(byoc)];
  const longest = Math.max(0, ...all.map(({ restartSeconds = 0 }) => restartSeconds));
  const of = (maker: ByocDriver | null | undefined) => {
    const driver = maker === null || maker === undefined ? own : byoc[maker];
    if (!driver)
      throw new Error(`this supervisor is not set up to copy volumes of ${maker ?? 'its own nodes'}`);
    return driver;
  };
  const ofNode = async ({ node }: { node: NodeId }) => of(await makers.ofNode(node));
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
      const maker = await makers.ofCopy(copy);
      if (maker !== undefined) return await of(maker).remove(copy);
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

import { randomUUID } from 'node:crypto';
import type { RestoredVolume, VolumeDriver } from '@sluice/drivers';
import type { Beside, ThirdCloud } from './cloud.ts';

export function thirdCloudVolumes(cloud: ThirdCloud): VolumeDriver {
  const keyOf = ({ run, node }: RestoredVolume) => `${run}.${node}`;
  const besideOf = (volume: RestoredVolume): Beside =>
    cloud.beside.get(keyOf(volume)) ?? { staged: undefined, former: undefined };
  const copyOf = (copy: string) => {
    const found = cloud.copies.get(copy);
    if (!found) throw new Error(`the copy ${copy} is gone`);
    return found;
  };

  return {
    volumeOf: String,

    async copy({ node, copy }, call) {
      if (cloud.copies.has(copy)) return;
      const { content } = cloud.machineOf(node).volume;
      await call.confirm();
      cloud.copies.set(copy, { content, sealed: false });
    },

    async seal({ copy }, call) {
      const found = copyOf(copy);
      if (!found.sealed) await call.confirm();
      found.sealed = true;
      return { digest: found.content, bytes: found.content.length };
    },

    async stage(volume, digest, call) {
      const { content, sealed } = copyOf(volume.copy);
      if (!sealed || content !== digest) throw new Error('the copy is another one');
      const { staged, former } = besideOf(volume);
      if (staged ?? former) return;
      await call.confirm();
      cloud.beside.set(keyOf(volume), { staged: { id: randomUUID(), content }, former });
    },

    async swap(volume, call) {
      const { staged, former } = besideOf(volume);
      if (former) return;
      if (!staged) throw new Error('nothing is staged');
      const machine = cloud.machineOf(volume.node);
      await call.confirm();
      cloud.beside.set(keyOf(volume), { staged: undefined, former: machine.volume });
      machine.volume = staged;
    },

    async swapBack(volume, call) {
      const { former } = besideOf(volume);
      if (!former) return;
      const machine = cloud.machineOf(volume.node);
      await call.confirm();
      cloud.beside.set(keyOf(volume), { staged: machine.volume, former: undefined });
      machine.volume = former;
    },

    async clear(run) {
      for (const key of cloud.beside.keys()) if (key.startsWith(`${run}.`)) cloud.beside.delete(key);
    },

    remove: async (copy) => void cloud.copies.delete(copy),

    list: async () => ({
      unfinished: [...cloud.copies].filter(([, { sealed }]) => !sealed).map(([copy]) => copy),
      runs: [...new Set([...cloud.beside.keys()].map((key) => key.split('.')[0] ?? ''))],
    }),
  };
}

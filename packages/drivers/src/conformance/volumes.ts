import { randomUUID } from 'node:crypto';
import type { NodeId } from '@sluice/contracts';
import { underWay, type RestoredVolume, type UnderWay, type VolumeDriver } from '../volumes.ts';
import { anyCall, lostCall, mostLooks, ruleOf, until } from './calls.ts';

/** A node that has stored something, with its broker stopped. */
export interface StoringNode {
  id: NodeId;
  /** a value that tells what it has stored from anything else, and is the same for the same */
  stored(): Promise<string>;
  /** stores something else */
  change(): Promise<void>;
  /** looks after the node as a supervisor does beside a restore; left out where nothing follows from one */
  lookAfter?(): Promise<unknown>;
  remove(): Promise<unknown>;
}

export interface VolumesUnderTest {
  /** false where the provider's server cannot be run here */
  isThere: () => boolean;
  /** as another replica has it, each time */
  driver(): Promise<VolumeDriver> | VolumeDriver;
  aNode(): Promise<StoringNode>;
  pauseSeconds?: number;
}

/** The rules for every driver of volumes: README.md, "Volumes". */
export function volumesConformance(name: string, provider: VolumesUnderTest): void {
  const rule = ruleOf(provider);
  let copies = 0;

  const newVolume = ({ id: node }: StoringNode): RestoredVolume => ({
    ...{ node, run: randomUUID() },
    copy: `${(copies += 1)}-${node}-${randomUUID().slice(0, 8)}`,
  });

  /** Repeats a call until it has ended, each time by another replica. */
  async function ended<Answer>(
    node: StoringNode,
    work: (driver: VolumeDriver) => Promise<Answer | UnderWay>,
  ): Promise<Answer> {
    let answer: Answer | UnderWay = underWay;
    const hasEnded = async () => {
      answer = await work(await provider.driver());
      if (answer === underWay) await node.lookAfter?.();
      return answer !== underWay;
    };
    await until('the call has ended', hasEnded, provider.pauseSeconds);
    return answer as Answer;
  }

  async function isRefused(
    node: StoringNode,
    work: (driver: VolumeDriver) => Promise<unknown>,
  ): Promise<boolean> {
    for (let looks = 0; looks < mostLooks; looks++) {
      const answer = await work(await provider.driver()).catch((error: unknown) => ({ error }));
      if (answer !== underWay) return typeof answer === 'object' && answer !== null && 'error' in answer;
      await node.lookAfter?.();
    }
    return false;
  }

  async function untilStores(node: StoringNode, isSo: (stored: string) => boolean): Promise<void> {
    const hasIt = async () => {
      await node.lookAfter?.();
      return isSo(await node.stored());
    };
    await until('the node has what it should have', hasIt, provider.pauseSeconds);
  }

  /** As the supervisor does it: what a driver has listed, the same one clears. */
  async function clear(run: string): Promise<void> {
    const isClear = async () => {
      const driver = await provider.driver();
      if (!(await driver.list()).runs.includes(run)) return true;
      await driver.clear(run);
      return false;
    };
    await until('nothing of the restore is left beside', isClear, provider.pauseSeconds);
  }

  async function backUp(node: StoringNode, volume: RestoredVolume) {
    await ended(node, (driver) => driver.copy(volume, anyCall));
    return await ended(node, (driver) => driver.seal(volume, anyCall));
  }

  describe(`${name} as a driver of volumes`, () => {
    rule('makes a copy once, which is whole once it is sealed, and removes it', async () => {
      const node = await provider.aNode();
      const volume = newVolume(node);
      await ended(node, (driver) => driver.copy(volume, anyCall));
      expect((await (await provider.driver()).list()).unfinished).toContain(volume.copy);
      const sealed = await backUp(node, volume);
      expect(sealed.digest).not.toBe('');
      expect(await backUp(node, volume)).toEqual(sealed);
      expect((await (await provider.driver()).list()).unfinished).not.toContain(volume.copy);
      for (let time = 0; time < 2; time++) await (await provider.driver()).remove(volume.copy);
      expect(await isRefused(node, (driver) => driver.stage(volume, sealed.digest, anyCall))).toBe(true);
      await node.remove();
    });

    rule(
      'puts a copy in the place of what a node has stored, and back, however often it is asked to',
      async () => {
        const node = await provider.aNode();
        const volume = newVolume(node);
        const { digest } = await backUp(node, volume);
        await node.change();
        const former = await node.stored();
        expect(await isRefused(node, (driver) => driver.stage(volume, `${digest}0`, anyCall))).toBe(true);
        for (let time = 0; time < 2; time++)
          await ended(node, (driver) => driver.stage(volume, digest, anyCall));
        expect(await node.stored()).toBe(former);
        for (let time = 0; time < 2; time++) await ended(node, (driver) => driver.swap(volume, anyCall));
        await untilStores(node, (stored) => stored !== former);
        for (let time = 0; time < 2; time++) await ended(node, (driver) => driver.swapBack(volume, anyCall));
        await untilStores(node, (stored) => stored === former);
        await clear(volume.run);
        expect((await (await provider.driver()).list()).runs).not.toContain(volume.run);
        expect(await node.stored()).toBe(former);
        await (await provider.driver()).remove(volume.copy);
        await node.remove();
      },
    );

    rule('makes no copy and swaps nothing in a call that another has taken over', async () => {
      const node = await provider.aNode();
      const [volume, other] = [newVolume(node), newVolume(node)];
      const { digest } = await backUp(node, volume);
      await node.change();
      const former = await node.stored();
      expect(await isRefused(node, (driver) => driver.copy(other, lostCall))).toBe(true);
      expect((await (await provider.driver()).list()).unfinished).not.toContain(other.copy);
      await ended(node, (driver) => driver.stage(volume, digest, anyCall));
      expect(await isRefused(node, (driver) => driver.swap(volume, lostCall))).toBe(true);
      expect(await node.stored()).toBe(former);
      await clear(volume.run);
      await (await provider.driver()).remove(volume.copy);
      await node.remove();
    });
  });
}

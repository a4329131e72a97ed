import type { ComputeDriver, NodeToEnsure } from '../compute.ts';
import { anyCall, lostCall, ruleOf, until } from './calls.ts';

export interface ComputeUnderTest {
  /** false where the provider's server cannot be run here */
  isThere: () => boolean;
  /** as another replica has it, each time */
  driver(): Promise<ComputeDriver> | ComputeDriver;
  /** a node of a new deployment; `enrolls` has its agent enrol, or says that it has enrolled */
  aNode(): Promise<NodeToEnsure> | NodeToEnsure;
  enrols(node: NodeToEnsure): Promise<unknown> | void;
  /** what there is of a node at the provider, without what changes by itself */
  present(node: NodeToEnsure): Promise<readonly unknown[]>;
  /** whether the agents run: false where only the provider's API is played */
  hasAgents: boolean;
  /** between two looks */
  pauseSeconds?: number;
}

/** The rules for every driver of nodes: README.md, "Compute". */
export function computeConformance(name: string, provider: ComputeUnderTest): void {
  const rule = ruleOf(provider);

  async function comesUp(node: NodeToEnsure): Promise<void> {
    const driver = await provider.driver();
    const isUp = async () => {
      await driver.ensureNode(node, anyCall);
      if ((await provider.present(node)).length > 0) await provider.enrols(node);
      const { presence, drifted = false } = await driver.observe(node, anyCall);
      return provider.hasAgents ? presence === 'running' && !drifted : presence !== 'none' && !drifted;
    };
    await until('the node is up', isUp, provider.pauseSeconds);
  }

  async function goes(node: NodeToEnsure): Promise<void> {
    const driver = await provider.driver();
    const isGone = async () => {
      await driver.removeNode(node.id, anyCall);
      return (await driver.observe(node, anyCall)).presence === 'none';
    };
    await until('the node is gone', isGone, provider.pauseSeconds);
  }

  const isListed = async ({ id }: NodeToEnsure) =>
    (await (await provider.driver()).list()).some((found) => found.id === id);

  describe(`${name} as a driver of nodes`, () => {
    rule('finds nothing of a node that was never made, and removes it', async () => {
      const node = await provider.aNode();
      const driver = await provider.driver();
      expect((await driver.observe(node, anyCall)).presence).toBe('none');
      await driver.removeNode(node.id, anyCall);
      expect(await provider.present(node)).toEqual([]);
    });

    rule(
      'makes a node once, however often and by whichever replica it is asked for, and removes all',
      async () => {
        const node = await provider.aNode();
        await comesUp(node);
        const present = await provider.present(node);
        expect(present).not.toEqual([]);
        await comesUp(node);
        expect(await provider.present(node)).toEqual(present);
        await until('the node is listed', () => isListed(node), provider.pauseSeconds);
        await goes(node);
        expect(await provider.present(node)).toEqual([]);
        await (await provider.driver()).removeNode(node.id, anyCall);
        await until('the node is not listed', async () => !(await isListed(node)), provider.pauseSeconds);
      },
    );

    rule('does not make anew a node that has held data', async () => {
      const node = { ...(await provider.aNode()), deployed: true, enrolled: true };
      const driver = await provider.driver();
      const errors: unknown[] = [];
      // what holds no data may be made before it is found that the rest is gone
      for (let looks = 0; looks < 5; looks++)
        await driver.ensureNode(node, anyCall).catch((error: unknown) => errors.push(error));
      expect(errors).not.toEqual([]);
      expect((await driver.observe(node, anyCall)).presence).not.toBe('running');
      await goes(node);
      expect(await provider.present(node)).toEqual([]);
    });

    rule('does not bring a node up in a call that another has taken over, and does in the next', async () => {
      const node = await provider.aNode();
      const driver = await provider.driver();
      await expect(driver.ensureNode(node, lostCall)).rejects.toThrow('taken over');
      expect((await driver.observe(node, anyCall)).presence).not.toBe('running');
      await comesUp(node);
      await goes(node);
      expect(await provider.present(node)).toEqual([]);
    });
  });
}

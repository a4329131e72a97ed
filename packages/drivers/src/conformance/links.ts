import type { LinkState, WantedLink } from '../links.ts';
import { LinkRefused, type LinkDriver } from '../network.ts';
import { anyCall, lostCall, ruleOf } from './calls.ts';
import type { Fate } from './fate.ts';

export interface LinksUnderTest {
  /** false where the cloud's server cannot be run here */
  isThere: () => boolean;
  driver(): LinkDriver;
  /** a new link, the status that it comes to, and what the other side does for that once it has been asked */
  links: Record<
    string,
    () => Promise<{ link: WantedLink; becomes: string; answer?: () => Promise<unknown> }>
  >;
  /** what there is of a link at the cloud */
  present(link: WantedLink): Promise<readonly unknown[]>;
  /** another value after each change at the cloud */
  changes(): unknown;
  /** whether nothing comes to be twice although two work on it: elsewhere the keeper's lease sees to that */
  isSafeForTwo?: boolean;
  /** whether it is reached by requests, which can be given up */
  isElsewhere?: boolean;
  /** has the first request of each kind fail; left out where a test of its own does */
  failEachOnce?: (fate: Fate) => void;
}

/** Looks at a link until it is so, as the keeper does: what fails is repeated. */
export async function lookUntil(
  driver: LinkDriver,
  link: WantedLink,
  status: string,
  answer?: () => Promise<unknown>,
): Promise<LinkState> {
  let answered = answer === undefined;
  for (let looks = 0; looks < 60; looks++) {
    const state = await driver.advance(link, anyCall).catch((error: unknown) => {
      if (error instanceof LinkRefused) throw error;
      return undefined;
    });
    if (state?.status === status) return state;
    // the other side does not answer what has not been asked
    if (state && !answered)
      answered = await (answer?.() ?? Promise.resolve()).then(
        () => true,
        () => false,
      );
  }
  throw new Error(`${link.kind} does not become ${status}`);
}

export async function removeUntilGone(driver: LinkDriver, link: WantedLink): Promise<void> {
  for (let looks = 0; looks < 60; looks++) if (await driver.remove(link, anyCall).catch(() => false)) return;
  throw new Error('it does not go');
}

/** The rules for every driver of links: README.md, "Network". */
export function linksConformance(name: string, cloud: LinksUnderTest): void {
  const rule = ruleOf(cloud);

  describe.each(Object.entries(cloud.links))(`${name}: %s`, (_kind, aLink) => {
    rule('comes about once, stays as it is, and goes without a trace, however often one looks', async () => {
      const { link, becomes, answer } = await aLink();
      await lookUntil(cloud.driver(), link, becomes, answer);
      const present = await cloud.present(link);
      expect(present).not.toEqual([]);
      // the second look may find what the first has completed
      await lookUntil(cloud.driver(), link, becomes);
      const changes = await cloud.changes();
      expect(await cloud.driver().advance(link, anyCall)).toMatchObject({ status: becomes });
      expect(await cloud.changes()).toEqual(changes);
      expect(await cloud.present(link)).toEqual(present);
      await removeUntilGone(cloud.driver(), link);
      expect(await cloud.driver().remove(link, anyCall)).toBe(true);
      expect(await cloud.present(link)).toEqual([]);
    });

    rule('goes when it was never made', async () => {
      const { link } = await aLink();
      expect(await cloud.driver().remove(link, anyCall)).toBe(true);
      expect(await cloud.present(link)).toEqual([]);
    });

    if (cloud.isSafeForTwo)
      rule('is the same when two replicas work on it at once', async () => {
        const { link, becomes, answer } = await aLink();
        const driver = cloud.driver();
        await Promise.all([1, 2].map(() => lookUntil(driver, link, becomes, answer)));
        expect(new Set(await cloud.present(link)).size).toBe((await cloud.present(link)).length);
        await removeUntilGone(driver, link);
        expect(await cloud.present(link)).toEqual([]);
      });

    if (cloud.isElsewhere)
      rule('is not changed any more by a call that was given up', async () => {
        const { link } = await aLink();
        const changes = await cloud.changes();
        await expect(cloud.driver().advance(link, lostCall)).rejects.toThrow('taken over');
        const given = AbortSignal.abort(new Error('too late'));
        await expect(cloud.driver().advance(link, { ...anyCall, signal: given })).rejects.toThrow();
        expect(await cloud.changes()).toEqual(changes);
      });

    const { failEachOnce } = cloud;
    if (!failEachOnce) return;

    for (const fate of ['lose', 'throttle'] as const)
      rule(`is made once and goes altogether when each request fails once (${fate})`, async () => {
        const { link, becomes, answer } = await aLink();
        failEachOnce(fate);
        await lookUntil(cloud.driver(), link, becomes, answer);
        const present = await cloud.present(link);
        expect(new Set(present).size).toBe(present.length);
        await removeUntilGone(cloud.driver(), link);
        expect(await cloud.present(link)).toEqual([]);
      });
  });
}

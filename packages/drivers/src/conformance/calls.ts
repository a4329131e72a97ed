import type { DriverCall } from '../compute.ts';

/** milliseconds for a test, also where others work as well */
const patience = 240_000;
/** as often as a supervisor looks at most */
export const mostLooks = 120;

export const anyCall: DriverCall = {
  ...{ fence: 1, signal: new AbortController().signal, confirm: () => Promise.resolve() },
};

/** A call that another supervisor has taken over. */
export const lostCall: DriverCall = {
  ...anyCall,
  confirm: () => Promise.reject(new Error('taken over')),
};

/** A rule that is left out where the provider's server cannot be run. */
export const ruleOf =
  ({ isThere }: { isThere: () => boolean }) =>
  (title: string, run: () => Promise<void>): void =>
    test(
      title,
      async () => {
        if (isThere()) await run();
      },
      patience,
    );

/** Repeats what fails or is not so yet, as a supervisor does. */
export async function until(what: string, isSo: () => Promise<boolean>, pauseSeconds = 0): Promise<void> {
  let last: unknown;
  for (let looks = 0; looks < mostLooks; looks++) {
    try {
      if (await isSo()) return;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseSeconds * 1_000));
  }
  throw new Error(`it does not come to be that ${what}`, { cause: last });
}

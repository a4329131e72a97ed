import { pauseAfter } from '@sluice/system';

/** A program that may be able to tell whether it does its work. */
interface Watched {
  isHealthy?: () => Promise<boolean>;
  stop(): Promise<void>;
}

/** how often in a row a program has to be ill before it is ended; one that this does not help is left alone for longer each time */
const illLooks = { first: 4, cap: 200 };

/**
 * Ends a program that runs and says for a while that it does not do its work, so that its supervisor starts it
 * again.
 * @param current the one to look at; undefined while there is none
 * @returns ends the watch
 */
export function watchHealth(
  name: string,
  current: () => Watched | undefined,
  say: (line: string) => void,
  everyMs: number,
): () => void {
  let ill = 0;
  let cures = 0;
  const look = async () => {
    const asked = current();
    if (!asked?.isHealthy) return;
    const isHealthy = await asked.isHealthy();
    if (asked !== current()) return;
    ill = isHealthy ? 0 : ill + 1;
    if (isHealthy) cures = 0;
    if (ill < pauseAfter(cures, illLooks)) return;
    ill = 0;
    cures += 1;
    say(`${name} runs, but does not do its work; it is ended.`);
    await asked.stop();
  };
  const tell = (error: unknown) => say(`${name} could not be looked after: ${String(error)}`);
  const timer = setInterval(() => void look().catch(tell), everyMs);
  return () => clearInterval(timer);
}

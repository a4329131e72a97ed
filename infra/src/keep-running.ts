import { setTimeout as delay } from 'node:timers/promises';
import { CannotStart, type Exit } from '@sluice/embedded';
import { pauseAfter } from '@sluice/system';
import { watchHealth } from './health-watch.ts';
import { lastLines } from './logs.ts';

/** Something that is to run as long as the stack does. */
export interface Part {
  name: string;
  logFile: string;
  start(): Promise<Running>;
}

export interface Running {
  pid: number;
  exited: Promise<Exit>;
  stop(): Promise<void>;
  /** whether it does its work, where it can tell */
  isHealthy?: () => Promise<boolean>;
}

export interface Kept {
  /** ends it for good */
  stop(): Promise<void>;
  /** ends it until the function that is answered is called */
  pause(): Promise<() => void>;
}

const crashLimit = 5;
const crashWindowMs = 30_000;
const pauses = { first: 100, cap: 5_000 };

/**
 * Starts a part and starts it again whenever it ends, after a short and growing pause. While the stack is not up, a part that
 * crashes five times within 30 s is given up: `giveUp` is called with what a person should read. Once it is up, no crash
 * of one part is a reason to end the others. Being killed from outside is no crash. One that runs, but says for a while
 * that it does not do its work, is ended and started again.
 */
export async function keepRunning(
  part: Part,
  say: (line: string) => void,
  giveUp: (reason: CannotStart) => void,
  isUp: () => boolean,
  lookMs = 3_000,
): Promise<Kept> {
  const stopping = new AbortController();
  const crashes: number[] = [];
  let running = await part.start();
  let paused: PromiseWithResolvers<void> | undefined;

  /** Takes note of an end; answers whether there is to be another start. */
  const goesOn = async (exit: Exit): Promise<boolean> => {
    if (stopping.signal.aborted) return false;
    if (paused) return true;
    if (isCrash(exit)) crashes.push(Date.now());
    while ((crashes[0] ?? Infinity) < Date.now() - crashWindowMs) crashes.shift();
    if (crashes.length >= crashLimit && !isUp()) {
      giveUp(await tellCrashes(part));
      return false;
    }
    say(`${part.name} ended unexpectedly (${exit.signal ?? `exit code ${exit.code}`}); it is started again.`);
    return true;
  };

  const runAgain = async (): Promise<Exit> => {
    try {
      running = await part.start();
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
      return { code: 1, signal: null };
    }
    if (stopping.signal.aborted || paused) await running.stop();
    return await running.exited;
  };

  const watching = (async () => {
    let exit = await running.exited;
    while (await goesOn(exit)) {
      await delay(pauseAfter(crashes.length, pauses), undefined, { signal: stopping.signal }).catch(() => {});
      await paused?.promise;
      if (stopping.signal.aborted) return;
      exit = await runAgain();
    }
  })();

  const endLooking = watchHealth(
    part.name,
    () => (paused || stopping.signal.aborted ? undefined : running),
    say,
    lookMs,
  );

  return {
    stop: async () => {
      endLooking();
      stopping.abort();
      paused?.resolve();
      await running.stop();
      await watching;
    },
    pause: async () => {
      const pause = (paused = Promise.withResolvers<void>());
      await running.stop();
      return () => {
        paused = undefined;
        pause.resolve();
      };
    },
  };
}

const isCrash = ({ signal }: Exit) => signal === null || !['SIGKILL', 'SIGTERM', 'SIGINT'].includes(signal);

async function tellCrashes({ name, logFile }: Part): Promise<CannotStart> {
  const tail = await lastLines(logFile, 15);
  return new CannotStart(
    `${name} crashed ${crashLimit} times within ${crashWindowMs / 1000} s, so the stack stops. The end of ${logFile}:\n\n${tail}`,
  );
}

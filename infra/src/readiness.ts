import { setTimeout as delay } from 'node:timers/promises';
import { CannotStart } from '@sluice/embedded';
import { urlOf, type ServicePlan } from './plan.ts';

const timeoutMs = 60_000;
/** between two looks: they cost time that a start needs itself */
const pauses = { first: 30, factor: 1.25, longest: 100 };

/** Waits until the service answers that it is ready; rejects with the reason of `signal` as soon as that is aborted. */
export async function untilReady(
  { name, port }: ServicePlan,
  logFile: string,
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (let pause = pauses.first; !(await answersReady(port));) {
    signal.throwIfAborted();
    if (Date.now() > deadline) {
      throw new CannotStart(`${name} was not ready within ${timeoutMs / 1_000} s: ${logFile} says why.`);
    }
    await delay(pause);
    pause = Math.min(pause * pauses.factor, pauses.longest);
  }
}

async function answersReady(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`${urlOf(port)}/readyz`, { signal: AbortSignal.timeout(2_000) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

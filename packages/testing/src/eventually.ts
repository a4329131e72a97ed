import { setTimeout as delay } from 'node:timers/promises';

/** a stack that is elsewhere makes a node of a pod or a machine, and refuses a client by not answering it */
const patience = process.env.SLUICE_STACK_FILE ? 4 : 1;

/** Looking costs time that what is waited for needs itself: it is done seldom where that takes long. */
const pauses = { first: 10, factor: 1.25, longest: 100 };

/**
 * Calls `check` again and again until it no longer throws, and answers what it answers. When time is up, throws what
 * `check` threw last.
 * @param everyMs the pause before each call, where it must not grow
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { timeoutMs = 20_000, everyMs }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs * patience;
  for (let pause = pauses.first; ; pause = Math.min(pause * pauses.factor, pauses.longest)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() >= deadline) throw error;
    }
    await delay(everyMs ?? pause);
  }
}

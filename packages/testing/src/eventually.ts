import { setTimeout as delay } from 'node:timers/promises';

/** a stack that is elsewhere makes a node of a pod or a machine, and refuses a client by not answering it */
const patience = process.env.SLUICE_STACK_FILE ? 4 : 1;

/**
 * Calls `check` again and again until it no longer throws, and answers what it answers. When time is up, throws what
 * `check` threw last.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { timeoutMs = 20_000, everyMs = 25 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs * patience;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() >= deadline) throw error;
    }
    await delay(everyMs);
  }
}

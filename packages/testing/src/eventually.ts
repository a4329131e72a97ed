import { setTimeout as delay } from 'node:timers/promises';

/**
 * Calls `check` again and again until it no longer throws, and answers what it answers. When time is up, throws what
 * `check` threw last.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { timeoutMs = 10_000, everyMs = 25 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() >= deadline) throw error;
    }
    await delay(everyMs);
  }
}

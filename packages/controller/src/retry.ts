import { setTimeout as pauseFor } from 'node:timers/promises';
import { createBackoff, type BackoffOptions } from '@sluice/system';

interface RetryOptions {
  /** in milliseconds */
  pause: BackoffOptions;
  /** Called with each error. @returns the least pause before the next attempt, in milliseconds. @throws to give up */
  failed?: (error: unknown) => number | void;
  signal?: AbortSignal;
}

/** The result of the first attempt that succeeds. @throws what `failed` throws, or the reason of `signal` */
export async function retry<T>(
  attempt: () => Promise<T>,
  { pause, failed, signal }: RetryOptions,
): Promise<T> {
  const backoff = createBackoff(pause);
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      const least = failed?.(error) ?? 0;
      await pauseFor(Math.max(least, backoff.next()), undefined, signal && { signal });
    }
  }
}

/**
 * The first value of `look` that is neither null nor false. For something that tells no listener when it changes.
 * @throws the reason of `signal`
 */
export async function waitUntil<T>(
  look: () => Promise<T | null | false> | T | null | false,
  { everyMs, signal }: { everyMs: number; signal?: AbortSignal },
): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== null && found !== false) return found;
    await pauseFor(everyMs, undefined, signal && { signal });
  }
}

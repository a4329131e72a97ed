/** Waits. @throws the reason of `signal` as soon as it is aborted */
export async function pause(milliseconds: number, signal?: AbortSignal | null): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, timerMs(milliseconds));
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** What a timer takes: whole milliseconds; one for longer than 24 days would end at once. */
export const timerMs = (milliseconds: number): number => Math.min(Math.ceil(milliseconds), 2 ** 31 - 1);

/** The pause before the next of `attempt` attempts (from 1): doubled each time, and of random length so that clients spread. */
export const backoff = (attempt: number, firstMs: number, mostMs: number): number =>
  Math.min(mostMs, firstMs * 2 ** Math.min(attempt - 1, 30)) * (0.5 + Math.random() / 2);

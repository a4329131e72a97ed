export interface WakeSignal {
  /** Ends the present wait, or the next one before it begins. */
  wake(): void;
  /** Waits until `wake` is called, for `milliseconds` at most. Only one may wait at a time. */
  wait(milliseconds: number): Promise<void>;
}

/** Lets a loop wait for its next round and be woken early. A call between two waits is not lost. */
export function createWakeSignal(): WakeSignal {
  let signalled = false;
  let resume: (() => void) | null = null;
  return {
    wake: () => {
      signalled = true;
      resume?.();
    },
    wait: async (milliseconds) => {
      if (!signalled) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, milliseconds);
        resume = resolve;
        await promise;
        clearTimeout(timer);
        resume = null;
      }
      signalled = false;
    },
  };
}

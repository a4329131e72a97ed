export interface Bell {
  /** Ends the present rest, or the next one before it begins. */
  ring(): void;
  /** Waits until the bell rings, for `milliseconds` at most. Only one may rest at a time. */
  rest(milliseconds: number): Promise<void>;
}

/** Lets a loop wait for its next turn and be woken early. A ring between two rests is not lost. */
export function createBell(): Bell {
  let rung = false;
  let wake: (() => void) | null = null;
  return {
    ring: () => {
      rung = true;
      wake?.();
    },
    rest: async (milliseconds) => {
      if (!rung) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, milliseconds);
        wake = resolve;
        await promise;
        clearTimeout(timer);
        wake = null;
      }
      rung = false;
    },
  };
}

/** What has come and is not written yet: so much at most. */
export interface Backlog<T> {
  push(item: T, bytes: number): void;
  /** After what is waiting, the items end, with the error if there is one. */
  end(error?: Error): void;
  items(): AsyncGenerator<T, void, undefined>;
}

const most = { items: 10_000, bytes: 64 * 2 ** 20 };

/** @param onLoss with the number of items that were left out since the last time, once there is room again */
export function createBacklog<T>(onLoss: (count: number) => void, limit = most): Backlog<T> {
  let waiting: { item: T; bytes: number }[] = [];
  let [bytes, lost] = [0, 0];
  let end: { error: Error | undefined } | undefined;
  let wake = () => {};
  return {
    push(item, its) {
      if (waiting.length >= limit.items || bytes + its > limit.bytes) {
        lost++;
        return;
      }
      waiting.push({ item, bytes: its });
      bytes += its;
      wake();
    },
    end(error) {
      end ??= { error };
      wake();
    },
    async *items() {
      for (;;) {
        const taken = waiting;
        waiting = [];
        for (const { item, bytes: its } of taken) {
          yield item;
          bytes -= its;
        }
        if (lost > 0) {
          onLoss(lost);
          lost = 0;
        }
        if (waiting.length > 0) continue;
        if (end?.error) throw end.error;
        if (end) return;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

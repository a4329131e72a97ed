import { setTimeout as pause } from 'node:timers/promises';
import type { Notifications } from './notifications.ts';

/** Lets requests wait until something happens to a deployment or another thing with an id, on whichever replica. */
export interface Signals {
  /**
   * Begins to watch for the next signal of an id; read the state after this call and then wait, so that
   * nothing is missed in between.
   */
  watch(id: number): Watch;
}

interface Watch {
  /**
   * Resolves at the first signal since the watch began, after `milliseconds`, or once `until` is aborted.
   * @returns whether it was the signal
   */
  signalled(milliseconds: number, until?: AbortSignal): Promise<boolean>;
  end(): void;
}

/** Listens for the signals of one channel, whose payload is the id. */
export async function listenForSignals(
  notifications: Pick<Notifications, 'listen'>,
  channel: string,
): Promise<Signals> {
  const watches = new Map<number, Set<() => void>>();
  await notifications.listen(channel, (payload) => {
    // without a payload any signal may have been missed
    const missed = payload === '' ? [...watches.values()] : [watches.get(Number(payload)) ?? []];
    void inTurns(missed.flatMap((callbacks) => [...callbacks]));
  });

  return {
    watch(id) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const callbacks = watches.get(id) ?? new Set();
      const signal = () => resolve(true);
      watches.set(id, callbacks.add(signal));
      return {
        async signalled(milliseconds, until) {
          const giveUp = () => resolve(false);
          const timer = setTimeout(giveUp, milliseconds);
          until?.addEventListener('abort', giveUp, { once: true });
          if (until?.aborted) giveUp();
          const came = await promise;
          clearTimeout(timer);
          // a signal of several others is kept for as long as it has listeners
          until?.removeEventListener('abort', giveUp);
          return came;
        },
        end() {
          callbacks.delete(signal);
          if (callbacks.size === 0 && watches.get(id) === callbacks) watches.delete(id);
        },
      };
    },
  };
}

const turn = { calls: 100, milliseconds: 50 };

/** Each listener reads the database: thousands at once would hold up everything else. */
async function inTurns(callbacks: readonly (() => void)[]): Promise<void> {
  for (const [index, callback] of callbacks.entries()) {
    callback();
    if ((index + 1) % turn.calls === 0) await pause(turn.milliseconds);
  }
}

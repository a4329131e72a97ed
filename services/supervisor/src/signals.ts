import type { DeploymentId } from '@sluice/contracts';
import type { Notifications } from '@sluice/service-kit';
import type { channels } from './database.ts';

/** Lets requests wait until something happens to a deployment, on whichever replica. */
export interface DeploymentSignals {
  /**
   * Begins to watch for the next signal of a deployment; look at the state after this call and then wait, so that
   * nothing is missed in between.
   */
  watch(deploymentId: DeploymentId): Watch;
}

export interface Watch {
  /** Resolves at the first signal since the watch began, after `milliseconds`, or once `until` is aborted. */
  signalled(milliseconds: number, until?: AbortSignal): Promise<void>;
  end(): void;
}

/** Hears the signals of one NOTIFY channel whose payload is a deployment's id. */
export async function hearSignals(
  notifications: Notifications,
  channel: (typeof channels)[keyof typeof channels],
): Promise<DeploymentSignals> {
  const watches = new Map<number, Set<() => void>>();
  await notifications.listen(channel, (payload) => {
    // without a payload any signal may have been missed
    const heard = payload === '' ? [...watches.values()] : [watches.get(Number(payload)) ?? []];
    for (const callbacks of heard) for (const callback of callbacks) callback();
  });

  return {
    watch(deploymentId) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const callbacks = watches.get(deploymentId) ?? new Set();
      watches.set(deploymentId, callbacks.add(resolve));
      return {
        async signalled(milliseconds, until) {
          const timer = setTimeout(resolve, milliseconds);
          until?.addEventListener('abort', () => resolve(), { once: true });
          if (until?.aborted) resolve();
          await promise;
          clearTimeout(timer);
        },
        end() {
          callbacks.delete(resolve);
          if (callbacks.size === 0 && watches.get(deploymentId) === callbacks) watches.delete(deploymentId);
        },
      };
    },
  };
}

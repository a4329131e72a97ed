import { setTimeout as pause } from 'node:timers/promises';
import type { DeploymentId } from '@sluice/contracts';
import type { Notifications } from '@sluice/service';
import { sql } from 'kysely';
import type { Database } from './tables.ts';

/** What replicas tell each other through PostgreSQL; the payload is the deployment's id. */
export const channels = {
  /** the reconciler should turn to it now */
  due: 'deployment_due',
  /** its agents are to be told something new */
  desired: 'deployment_desired',
  /** one of its agents has applied a revision */
  applied: 'deployment_applied',
  /** something is to be done with its volumes */
  volumes: 'deployment_volumes',
  /** a peering, an endpoint service or an attachment of it is to be looked at now */
  links: 'deployment_links',
} as const;

type Channel = (typeof channels)[keyof typeof channels];

/** Tells all replicas; inside of a transaction when it commits. */
export async function notify(db: Database, channel: Channel, deploymentId: DeploymentId): Promise<void> {
  await sql`SELECT pg_notify(${channel}, ${String(deploymentId)})`.execute(db);
}

/** Tells all replicas about each of the deployments. */
export async function notifyAll(
  db: Database,
  channel: Channel,
  deploymentIds: readonly DeploymentId[],
): Promise<void> {
  await sql`SELECT pg_notify(${channel}, id::text) FROM unnest(${deploymentIds}::bigint[]) AS id`.execute(db);
}

/** Lets requests wait until something happens to a deployment, on whichever replica. */
export interface DeploymentSignals {
  /**
   * Begins to watch for the next signal of a deployment; read the state after this call and then wait, so that
   * nothing is missed in between.
   */
  watch(deploymentId: DeploymentId): Watch;
}

interface Watch {
  /**
   * Resolves at the first signal since the watch began, after `milliseconds`, or once `until` is aborted.
   * @returns whether it was the signal
   */
  signalled(milliseconds: number, until?: AbortSignal): Promise<boolean>;
  end(): void;
}

/** Listens for the signals of one channel. */
export async function listenForSignals(
  notifications: Notifications,
  channel: Channel,
): Promise<DeploymentSignals> {
  const watches = new Map<number, Set<() => void>>();
  await notifications.listen(channel, (payload) => {
    // without a payload any signal may have been missed
    if (payload === '') void inTurns([...watches.values()].flatMap((callbacks) => [...callbacks]));
    else for (const callback of watches.get(Number(payload)) ?? []) callback();
  });

  return {
    watch(deploymentId) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const callbacks = watches.get(deploymentId) ?? new Set();
      const signal = () => resolve(true);
      watches.set(deploymentId, callbacks.add(signal));
      return {
        async signalled(milliseconds, until) {
          const giveUp = () => resolve(false);
          const timer = setTimeout(giveUp, milliseconds);
          until?.addEventListener('abort', giveUp, { once: true });
          if (until?.aborted) giveUp();
          const came = await promise;
          clearTimeout(timer);
          return came;
        },
        end() {
          callbacks.delete(signal);
          if (callbacks.size === 0 && watches.get(deploymentId) === callbacks) watches.delete(deploymentId);
        },
      };
    },
  };
}

const turn = { calls: 100, milliseconds: 50 };

/** Each who is called reads the database: thousands at once would have it answer nobody else. */
async function inTurns(callbacks: readonly (() => void)[]): Promise<void> {
  for (const [index, callback] of callbacks.entries()) {
    callback();
    if ((index + 1) % turn.calls === 0) await pause(turn.milliseconds);
  }
}

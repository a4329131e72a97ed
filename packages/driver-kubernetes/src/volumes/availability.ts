import { reasonOf } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import type { KubernetesApi } from '../compute/kubernetes-api.ts';
import { isMissing } from '../compute/connection.ts';

export interface AvailabilityOptions {
  api: Pick<KubernetesApi, 'read' | 'list'>;
  snapshotClass: string | undefined;
  log: Log;
}

/** what was found holds for so long: a person who has just set it up tries it soon. Milliseconds */
const holdsFor = 10_000;
/** for which a request waits for it */
const longest = 5_000;
const isDefault = 'snapshot.storage.kubernetes.io/is-default-class';

/**
 * Whether a cluster makes snapshots of volumes, by its VolumeSnapshotClass. Where it cannot be asked, what was found last holds.
 * @returns a look, which never rejects
 */
export function snapshotsAvailable({ api, snapshotClass, log }: AvailabilityOptions) {
  let known = { reason: null as string | null, until: -Infinity, isFound: false };
  let looking: Promise<void> | undefined;

  /** Why there are none; null where there are. */
  async function lack(signal: AbortSignal): Promise<string | null> {
    const kind = 'VolumeSnapshotClass';
    if (snapshotClass !== undefined) {
      const found = await api.read({ kind, name: snapshotClass }, signal);
      return found ? null : `there is no ${kind} ${snapshotClass}`;
    }
    try {
      const { items } = await api.list(kind, '', signal);
      const has = items.some(({ metadata }) => metadata.annotations?.[isDefault] === 'true');
      return has ? null : `there is no default ${kind}`;
    } catch (error) {
      if (isMissing(error)) return `it does not know ${kind}`;
      throw error;
    }
  }

  async function look(): Promise<void> {
    const until = performance.now() + holdsFor;
    try {
      const reason = await lack(AbortSignal.timeout(longest));
      if (reason !== known.reason && reason !== null)
        log.warn('the cluster makes no snapshots, so there are no backups', { reason });
      known = { reason, until, isFound: true };
    } catch (error) {
      const reason = known.isFound ? known.reason : reasonOf(error);
      log.warn('the cluster could not be asked whether it makes snapshots', { error });
      known = { ...known, reason, until };
    }
  }

  return async (): Promise<boolean> => {
    if (performance.now() >= known.until) {
      looking ??= look().finally(() => (looking = undefined));
      await looking;
    }
    return known.reason === null;
  };
}

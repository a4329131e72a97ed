import { LeaseLost } from '@sluice/controller';
import type { Cause } from '@sluice/contracts';
import type { UnitOfWork } from '@sluice/messaging';
import { system } from '@sluice/service';
import type { Database, Transaction, Tx } from '@sluice/region-store/tables';
import { eventOf, failBackup, getBackup, sizeOf } from '@sluice/region-store/backups.store';
import { findLocked, subjectsOf, type Deployment } from '@sluice/region-store/deployments.store';
import { lockNodesOf } from '@sluice/region-store/nodes.store';
import { scheduleNow } from '@sluice/region-store/reconciliations.store';
import { endVolumeWork, lockVolumeWork, type VolumeWork } from '@sluice/region-store/volume-work.store';
import type { CountEnd } from './metrics.ts';
import { resumeBrokers } from './quiesce.ts';

/** Changes what is stored, under the lock of the deployment, as long as the work is in these hands. @throws LeaseLost */
export type VolumeChange = (
  work: VolumeWork,
  effect: (tx: Tx, deployment: Deployment) => Promise<unknown>,
) => Promise<void>;

/** It has no author, but belongs to the request that asked for it. */
const originOf = ({ correlation_id }: Cause) => ({ cause: { ...system.cause, correlation_id } });

export function volumeChange(work: UnitOfWork<Transaction>): VolumeChange {
  return async (volumeWork, effect) => {
    await work(originOf(volumeWork.created_by), async (tx) => {
      const deployment = await findLocked(tx.db, volumeWork.deployment_id);
      if (!deployment || !(await lockVolumeWork(tx.db, volumeWork))) throw new LeaseLost();
      await lockNodesOf(tx.db, deployment.id);
      await effect(tx, deployment);
    });
  };
}

export interface CompletionOptions {
  change: VolumeChange;
  count: CountEnd;
  now: () => Date;
}

/** How work on volumes ends: its result is committed and reported with its end. */
export function completion({ change, count, now }: CompletionOptions) {
  async function end(db: Database, { deployment_id }: VolumeWork): Promise<void> {
    // what has waited goes on
    await scheduleNow(db, deployment_id, now());
    await endVolumeWork(db, deployment_id);
  }

  return {
    async complete(
      work: VolumeWork,
      event: 'backup_completed' | 'backup_restored',
      effect: (tx: Tx, deployment: Deployment) => Promise<void> = () => Promise.resolve(),
    ): Promise<void> {
      await change(work, async (tx, deployment) => {
        await effect(tx, deployment);
        await end(tx.db, work);
        const backup = await getBackup(tx.db, deployment.id, work.backup_id);
        const about = subjectsOf(deployment);
        if (event === 'backup_restored') tx.emit(event, about, eventOf(backup));
        else tx.emit(event, about, { ...eventOf(backup), size_bytes: sizeOf(backup) });
      });
      count(work.kind, 'completed');
    },

    /** Brokers go back to what was wanted of them before. */
    async fail(work: VolumeWork, reason: string): Promise<void> {
      await change(work, async (tx, deployment) => {
        if (work.former_states !== null && work.step !== 'restarting')
          await resumeBrokers(tx.db, work, now());
        await end(tx.db, work);
        const backup = await getBackup(tx.db, deployment.id, work.backup_id);
        const data = { ...eventOf(backup), reason: reason.slice(0, 1_000) };
        if (work.kind === 'restore') return tx.emit('backup_restore_failed', subjectsOf(deployment), data);
        await failBackup(tx.db, backup, reason);
        tx.emit('backup_failed', subjectsOf(deployment), data);
      });
      count(work.kind, 'failed');
    },
  };
}

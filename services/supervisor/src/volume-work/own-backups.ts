import { statusIs, type Cause, type DeploymentId } from '@sluice/contracts';
import { system } from '@sluice/service';
import type { Tx } from '@sluice/region-store/tables';
import { findSchedule, setNextTime } from '@sluice/region-store/backup-schedules.store';
import {
  eventOf,
  failBackup,
  hasBackupBefore,
  insertBackup,
  listSurplus,
  markUnwanted,
  type Backup,
  type NewBackup,
} from '@sluice/region-store/backups.store';
import { findLocked, subjectsOf, type Deployment } from '@sluice/region-store/deployments.store';
import type { Upgrade } from '@sluice/region-store/upgrades.store';
import { findVolumeWork, insertVolumeWork } from '@sluice/region-store/volume-work.store';
import { nextTime } from './cron.ts';
import { canBeBackedUp, roomOfSchedule } from './backup-limits.ts';

/** Backups without a request: those of schedules, and those before upgrades. */

/** those before upgrades that are kept of a deployment */
const keptBeforeUpgrades = 1;

type OwnBackup = Pick<NewBackup, 'name' | 'backup_type' | 'upgrade_id' | 'by_schedule'>;

async function insertOwn(tx: Tx, deployment: Deployment, backup: OwnBackup, cause: Cause): Promise<Backup> {
  const inserted = await insertBackup(tx.db, {
    ...backup,
    ...{ deployment_id: deployment.id, node_id: null, remarks: null, created_by: JSON.stringify(cause) },
    expiresInDays: deployment.spec.limits.backup_days,
  });
  tx.emit('backup_created', subjectsOf(deployment), eventOf(inserted), cause.correlation_id);
  return inserted;
}

/**
 * Takes a backup before an upgrade, once, where the deployment can have one. The deployment has to be locked, and nothing to be done with its
 * volumes. @returns whether the upgrade has to wait for it
 */
export async function backUpBefore(tx: Tx, deployment: Deployment, upgrade: Upgrade): Promise<boolean> {
  const { upgrade_id, tier, requested_by: cause } = upgrade;
  const { id } = deployment;
  // a cluster keeps its data on the other nodes meanwhile, and would have to be stopped for it
  if (deployment.spec.cluster === 'cluster') return false;
  if (deployment.spec.limits.backups === 0 || !canBeBackedUp(deployment)) return false;
  if (await hasBackupBefore(tx.db, id, upgrade_id)) return false;
  const backup = { name: `before the upgrade to ${tier}`, backup_type: 'pre_upgrade', upgrade_id } as const;
  const { id: backupId } = await insertOwn(tx, deployment, backup, cause);
  await insertVolumeWork(tx.db, { deploymentId: id, backupId, kind: 'backup', cause });
  return true;
}

/** What newer ones have taken the place of goes: the schedule and upgrades have a number that they keep. */
export async function retire(tx: Tx, deployment: Deployment, completed: Backup): Promise<void> {
  const schedule = completed.by_schedule ? await findSchedule(tx.db, deployment.id) : undefined;
  const surplus = [];
  if (schedule) {
    const keep = Math.max(1, await roomOfSchedule(tx.db, deployment, schedule.keep));
    surplus.push(...(await listSurplus(tx.db, deployment.id, 'by_schedule', keep)));
  }
  if (completed.upgrade_id !== null)
    surplus.push(...(await listSurplus(tx.db, deployment.id, 'before_upgrades', keptBeforeUpgrades)));
  for (const backup of surplus)
    if (await markUnwanted(tx.db, backup.id))
      tx.emit('backup_expired', subjectsOf(deployment), eventOf(backup));
}

/** Begins the backup of a deployment's schedule, if its time has come. However many times have passed, it is one. */
export async function beginScheduled(tx: Tx, id: DeploymentId, now: Date): Promise<void> {
  const deployment = await findLocked(tx.db, id);
  const schedule = await findSchedule(tx.db, id);
  if (!deployment || !schedule?.next_at || schedule.next_at > now) return;
  const isReady = statusIs('acceptsTasks', deployment.status) && !deployment.deleted_by;
  if (!isReady || (await findVolumeWork(tx.db, id))) return;
  await setNextTime(tx.db, id, nextTime(schedule.cron, now));
  // the plan may have become smaller since
  if (deployment.spec.limits.backups === 0 || !canBeBackedUp(deployment)) return;
  const name = `scheduled ${schedule.next_at.toISOString().slice(0, 16)}Z`;
  const cause: Cause = { ...system.cause, correlation_id: null };
  const own = { name, backup_type: 'scheduled', upgrade_id: null, by_schedule: true } as const;
  const hasRoom = (await roomOfSchedule(tx.db, deployment, schedule.keep)) > 0;
  const backup = await insertOwn(tx, deployment, own, cause);
  if (hasRoom)
    return await insertVolumeWork(tx.db, { deploymentId: id, backupId: backup.id, kind: 'backup', cause });
  const reason = 'other backups leave the schedule no room in the limit of the plan';
  await failBackup(tx.db, backup, reason);
  tx.emit('backup_failed', subjectsOf(deployment), { ...eventOf(backup), reason });
}

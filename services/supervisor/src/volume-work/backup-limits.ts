import { clouds } from '@sluice/contracts';
import type { Database } from '../database/tables.ts';
import { countBackups } from '../stores/backups.store.ts';
import type { Deployment } from '../stores/deployments.store.ts';

/** What the plan of a deployment allows: how many backups, and for how many days each is kept. */
export interface BackupLimits {
  most: number;
  days: number;
}

/** None where the plan has no backups. */
export function backupLimits({ spec }: Pick<Deployment, 'spec'>): BackupLimits {
  const { backups: most, backup_days: days } = spec.limits;
  return { most, days };
}

/** Whether there can be backups of it, by its cloud and storage (interface, 4.12). */
export function canBeBackedUp({ spec }: Pick<Deployment, 'spec'>): boolean {
  return clouds[spec.cloud].copiedStorage.includes(spec.storage.type);
}

/** How many backups of its schedule a deployment has room for, beside those of people. */
export async function roomOfSchedule(db: Database, deployment: Deployment, keep: number): Promise<number> {
  const { all, bySchedule } = await countBackups(db, deployment.id);
  return Math.max(0, Math.min(keep, backupLimits(deployment).most - (all - bySchedule)));
}

import { clouds } from '@sluice/contracts';
import type { Database } from '../database/tables.ts';
import { countBackups } from '../stores/backups.store.ts';
import type { Deployment } from '../stores/deployments.store.ts';

/** What the plan of a deployment allows: how many backups, and for how many days each is kept. */
export interface BackupTerms {
  most: number;
  days: number;
}

/** None where the plan has no backups. */
export function termsOf({ shape }: Pick<Deployment, 'shape'>): BackupTerms {
  const { backups: most, backup_days: days } = shape.limits;
  return { most, days };
}

/** Whether there can be backups of it, whatever its plan (interface, 4.12). */
export function canBeBackedUp({ shape }: Pick<Deployment, 'shape'>): boolean {
  return clouds[shape.cloud].copiedStorage.includes(shape.storage.type);
}

/** How many backups of its schedule a deployment has room for, beside those of people. */
export async function roomOfSchedule(db: Database, deployment: Deployment, keep: number): Promise<number> {
  const { all, bySchedule } = await countBackups(db, deployment.id);
  return Math.max(0, Math.min(keep, termsOf(deployment).most - (all - bySchedule)));
}

import { clouds } from '@sluice/contracts';
import type { Database } from '../database/tables.ts';
import { countBackups } from '../stores/backups.store.ts';
import type { Deployment } from '../stores/deployments.store.ts';

/** Whether there can be backups of it, by its cloud and storage (interface, 4.12). */
export function canBeBackedUp({ spec }: Pick<Deployment, 'spec'>): boolean {
  return clouds[spec.cloud].copiedStorage.includes(spec.storage.type);
}

/** How many backups of its schedule a deployment has room for, beside those of people. */
export async function roomOfSchedule(db: Database, deployment: Deployment, keep: number): Promise<number> {
  const { all, bySchedule } = await countBackups(db, deployment.id);
  return Math.max(0, Math.min(keep, deployment.spec.limits.backups - (all - bySchedule)));
}

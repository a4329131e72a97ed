import { clouds } from '@sluice/contracts';
import type { Database } from '@sluice/region-store/tables';
import { countBackups } from '@sluice/region-store/backups.store';
import type { Deployment } from '@sluice/region-store/deployments.store';

/** Whether there can be backups of it, by its cloud and storage (interface, 4.12). */
export function canBeBackedUp({ spec }: Pick<Deployment, 'spec'>): boolean {
  return clouds[spec.cloud].copiedStorage.includes(spec.storage.type);
}

/** How many backups of its schedule a deployment has room for, beside those of people. */
export async function roomOfSchedule(db: Database, deployment: Deployment, keep: number): Promise<number> {
  const { all, bySchedule } = await countBackups(db, deployment.id);
  return Math.max(0, Math.min(keep, deployment.spec.limits.backups - (all - bySchedule)));
}

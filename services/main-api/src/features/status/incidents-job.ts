import type { Job } from '@sluice/controller';
import { system, type Log } from '@sluice/service';
import type { Core } from '../../core.ts';
import {
  listConcernedTenants,
  lockUnrecordedUpdates,
  markUpdateRecorded,
  updateRegionStatuses,
} from './incidents.store.ts';

const types = {
  opened: 'incident_opened',
  updated: 'incident_updated',
  resolved: 'incident_resolved',
} as const;
const batch = 20;

/**
 * Notes how each region is, and records what operators say of incidents in the audit log of each tenant with deployments there.
 * `sluice-admin incident` changes the rows, which everybody sees, and wakes this.
 */
export function incidentsJob(
  { database, work, now, log }: Pick<Core, 'database' | 'work' | 'now'> & { log: Log },
  regionReportSeconds: number,
): Job {
  const recordSome = () =>
    work(system, async (tx) => {
      const updates = await lockUnrecordedUpdates(tx, batch);
      for (const { id, incident_id, kind, impact, message, title, regions } of updates) {
        const data = { incident_id, title, impact, message, regions };
        for (const tenant_id of await listConcernedTenants(tx, incident_id))
          tx.emit(types[kind], { tenant_id }, data);
        await markUpdateRecorded(tx, id);
        log.warn('an operator tells of an incident', { incident: incident_id, kind, impact, title });
      }
      return updates.length;
    });
  return {
    name: 'incidents',
    every: 10,
    async run(signal) {
      const silentSince = new Date(now().getTime() - regionReportSeconds * 1_000);
      await updateRegionStatuses(database, silentSince, now());
      while ((await recordSome()) === batch && !signal.aborted);
    },
  };
}

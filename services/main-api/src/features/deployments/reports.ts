import { reportSchemas } from '@sluice/contracts';
import type { Envelope } from '@sluice/service-kit';
import type { Database } from '../../database.ts';
import { registerRegion } from '../regions/regions.store.ts';
import { applyStatus, deleteDeployment } from './deployments.store.ts';

/**
 * Takes in what a region reports. Reports can come twice and in any order: a status counts only if it is newer, and a
 * deployment that is gone stays gone.
 * @throws Error when the report is of no known kind or form
 */
export async function takeReport(report: Envelope, db: Database): Promise<void> {
  switch (report.type) {
    case 'region_registered':
      return await registerRegion(db, reportSchemas.region_registered.parse(report['data']));
    case 'deployment_status':
      return await applyStatus(db, reportSchemas.deployment_status.parse(report['data']));
    case 'deployment_removed': {
      const { deployment_id } = reportSchemas.deployment_removed.parse(report['data']);
      return await deleteDeployment(db, deployment_id);
    }
    default:
      throw new Error(`'${report.type}' is not a kind of report`);
  }
}

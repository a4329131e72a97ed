import { reportSchemas } from '@sluice/contracts';
import type { Envelope } from '@sluice/service-kit';
import type { Database } from '../../database.ts';
import { recordKeyUse } from '../../stores/api-keys.store.ts';
import { applyStatus, deleteDeployment } from '../../stores/deployments.store.ts';
import { upsertRegion } from '../../stores/regions.store.ts';

/**
 * Handles what the other services report. Reports can come twice and in any order: a status counts only if it is newer, and a
 * deployment that is gone stays gone.
 * @throws Error when the report is of no known kind or form
 */
export async function handleReport(report: Envelope, db: Database): Promise<void> {
  switch (report.type) {
    case 'region_registered':
      return await upsertRegion(db, reportSchemas.region_registered.parse(report['data']));
    case 'deployment_status':
      return await applyStatus(db, reportSchemas.deployment_status.parse(report['data']));
    case 'deployment_removed': {
      const { deployment_id } = reportSchemas.deployment_removed.parse(report['data']);
      return await deleteDeployment(db, deployment_id);
    }
    case 'api_keys_used': {
      const { uses } = reportSchemas.api_keys_used.parse(report['data']);
      return await recordKeyUse(db, new Map(uses.map(({ id, used_at }) => [id, new Date(used_at)])));
    }
    default:
      throw new Error(`'${report.type}' is not a kind of report`);
  }
}

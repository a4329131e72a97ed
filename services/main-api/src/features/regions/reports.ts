import {
  reportSchemas,
  supervisorOf,
  type DeploymentId,
  type RegionRef,
  type SignerName,
} from '@sluice/contracts';
import { PermanentError, unsigned, type Envelope } from '@sluice/service-kit';
import type { Database } from '../../database.ts';
import { recordKeyUse } from '../../stores/api-keys.store.ts';
import { applyStatus, deleteDeployment, findRegionOf } from '../../stores/deployments.store.ts';
import { upsertRegion } from '../../stores/regions.store.ts';

/**
 * Handles what the other services report. Reports can come twice and in any order: a status counts only if it is newer, and a
 * deployment that is gone stays gone. A region is believed what it says of itself and of its own deployments.
 * @throws Error when the report is of no known kind or form, or about another region
 */
export async function handleReport(
  report: Envelope,
  db: Database,
  _position: number,
  sender: SignerName,
): Promise<void> {
  switch (report.type) {
    case 'region_registered': {
      const registration = reportSchemas.region_registered.parse(report['data']);
      checkRegion(sender, registration);
      return await upsertRegion(db, registration);
    }
    case 'deployment_status': {
      const status = reportSchemas.deployment_status.parse(report['data']);
      await checkDeployment(db, sender, status.deployment_id);
      return await applyStatus(db, status);
    }
    case 'deployment_removed': {
      const { deployment_id } = reportSchemas.deployment_removed.parse(report['data']);
      await checkDeployment(db, sender, deployment_id);
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

function checkRegion(sender: SignerName, region: RegionRef): void {
  if (sender !== unsigned && sender !== supervisorOf(region))
    throw new PermanentError(`${sender} speaks of ${region.cloud} ${region.region}`);
}

/** What is said of a deployment that is gone has no effect. */
async function checkDeployment(db: Database, sender: SignerName, id: DeploymentId): Promise<void> {
  const region = await findRegionOf(db, id);
  if (region) checkRegion(sender, region);
}

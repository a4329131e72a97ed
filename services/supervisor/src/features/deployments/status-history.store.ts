import type { DeploymentId } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { sql } from 'kysely';
import { pageOf } from '@sluice/region-store/queries';
import type { Database } from '@sluice/region-store/tables';

/** The statuses of a deployment, newest first. While one lasts its reason is the deployment's. */
export const pageOfStatuses = (db: Database, deploymentId: DeploymentId, page: Page) =>
  pageOf(
    db
      .selectFrom('deployment_statuses as period')
      .innerJoin('deployments', 'deployments.id', 'period.deployment_id')
      .select(['period.id', 'period.status', 'started_at', 'ended_at'])
      .select(sql<string | null>`CASE WHEN ended_at IS NULL THEN status_reason ELSE reason END`.as('reason'))
      .where('period.deployment_id', '=', deploymentId)
      .orderBy('period.id', 'desc'),
    page,
  );

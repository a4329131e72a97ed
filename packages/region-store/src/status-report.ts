import type { DeploymentId, ReportData } from '@sluice/contracts';
import type { Outgoing } from '@sluice/messaging';
import type { Deployment } from './deployments.store.ts';

type StatusReport = ReportData<'deployment_status'>;

/** Reports the status of a deployment as it is stored, and what else is news. */
export function reportStatus(
  tx: Outgoing,
  deployment: Deployment,
  more: Pick<StatusReport, 'upgrade' | 'connectors' | 'access'> = {},
): void {
  const { id, uid, status_version, status, status_reason, status_changed_at } = deployment;
  tx.report('deployment_status', {
    ...{ deployment_id: id, uid, version: status_version, status, status_reason },
    changed_at: status_changed_at.toISOString(),
    ...more,
  });
}

/** Reports as failed what is not stored here. @param above the last version that main-api knows */
export function reportRefused(
  tx: Outgoing,
  { id, uid }: { id: DeploymentId; uid: string },
  above: number | undefined,
  reason: string,
  now: Date,
): void {
  tx.report('deployment_status', {
    ...{ deployment_id: id, uid, version: (above ?? 0) + 1, status: 'failed', status_reason: reason },
    changed_at: now.toISOString(),
  });
}

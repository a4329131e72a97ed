import type { DeploymentId, PlanLimit } from '@sluice/contracts';
import { problem } from '@sluice/service';
import type { Deployment } from '@sluice/region-store/deployments.store';

/** What several features ask of a deployment before they change it. */

/** The parameters of an operation on a deployment as a whole. */
export interface DeploymentPath {
  deployment_id: DeploymentId;
}

/** @throws Problem `state_conflict` once the deployment is to be deleted */
export function requireLive({ deleted_by }: Pick<Deployment, 'deleted_by'>): void {
  if (deleted_by) throw problem('state_conflict', { detail: 'The deployment is being deleted.' });
}

/** @throws Problem `limit_reached` where `count` are already there */
export function requireRoom(
  name: PlanLimit | 'config_versions' | 'open_tasks_per_node',
  value: number,
  count: number,
  detail = `The tenant's plan allows ${value} (${name}).`,
): void {
  if (count >= value) throw problem('limit_reached', { detail, extensions: { limit: { name, value } } });
}

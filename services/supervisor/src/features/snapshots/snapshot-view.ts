import type { components } from '../../generated/api.ts';
import type { Deployment } from '../../stores/deployments.store.ts';
import type { ListedSnapshot } from '../../stores/snapshots.store.ts';
import { fullNameOf } from './snapshots.service.ts';

/** A snapshot as the interface shows it (2.14). */
export function snapshotView(
  { spec }: Deployment,
  snapshot: ListedSnapshot,
): components['schemas']['Snapshot'] {
  const { id, node_id, created_at, completed_at } = snapshot;
  return {
    id,
    tenant_id: spec.tenant_id,
    division_id: spec.division.id,
    environment_id: spec.environment.id,
    deployment_id: spec.id,
    node_id,
    deployment_name: spec.name,
    name: fullNameOf(snapshot),
    status: completed_at === null ? 'processing' : 'completed',
    created_at: created_at.toISOString(),
    completed_at: completed_at?.toISOString() ?? null,
  };
}

import type { components } from '../../generated/api.ts';
import type { Deployment } from '../../stores/deployments.store.ts';
import type { ListedSnapshot } from '../../stores/snapshots.store.ts';
import { fullNameOf } from './snapshots.service.ts';

/** A snapshot as the interface shows it (2.14). */
export function snapshotView(
  { shape }: Deployment,
  snapshot: ListedSnapshot,
): components['schemas']['Snapshot'] {
  const { id, node_id, created_at, completed_at } = snapshot;
  return {
    id,
    tenant_id: shape.tenant_id,
    division_id: shape.division.id,
    environment_id: shape.environment.id,
    deployment_id: shape.id,
    node_id,
    deployment_name: shape.name,
    name: fullNameOf(snapshot),
    status: completed_at === null ? 'processing' : 'completed',
    created_at: created_at.toISOString(),
    completed_at: completed_at?.toISOString() ?? null,
  };
}

import type { DeploymentId, NodeId, RegionOption, TenantId } from '@sluice/contracts';
import type { NodeSize } from '@sluice/drivers';
import { kinds, type ApiObject, type Kind, type ObjectMetadata, type Wanted } from './api-object.ts';
import type { Installation } from './installation.ts';
import { labels } from './labels.ts';

export interface DeploymentObjectsInput {
  id: DeploymentId;
  uid: string;
  tenantId: TenantId;
  nodes: readonly NodeId[];
  /** those of its options that the cluster provides */
  options: readonly RegionOption[];
  isCluster: boolean;
  /** the Service that its nodes share, as it is there */
  clients?: ApiObject | undefined;
  /** of its nodes, during an upgrade the former and the next */
  sizes: readonly NodeSize[];
  /** the largest volume that the cluster has given it, GiB: providers make larger ones than they were asked for */
  largestVolume: number;
}

export function labelsOf({ owner }: Installation, { id, uid, tenantId }: DeploymentObjectsInput) {
  return {
    'app.kubernetes.io/managed-by': 'sluice-supervisor',
    [labels.owner]: owner,
    [labels.tenant]: String(tenantId),
    [labels.deployment]: String(id),
    [labels.deploymentUid]: uid,
  };
}

export function wanted(kind: Kind, metadata: ObjectMetadata, fields: Record<string, unknown>): Wanted {
  return { apiVersion: kinds[kind].apiVersion, kind, metadata, ...fields };
}

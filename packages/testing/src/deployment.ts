import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import {
  deploymentOptionsOf,
  idOf,
  type DeploymentId,
  type DeploymentSpec,
  type DivisionId,
  type EnvironmentId,
  type NodeId,
  type TenantId,
} from '@sluice/contracts';

/** What a shape has of its own; its limits are the usual ones but for those that are named. */
export type ShapeChanges = Partial<Omit<DeploymentSpec, 'limits'>> & {
  limits?: Partial<DeploymentSpec['limits']>;
};

/** A shape as main-api sends it, with ids of its own. */
export function aDeployment({ limits, ...more }: ShapeChanges = {}): DeploymentSpec {
  const id = randomInt(1, 2 ** 40);
  return {
    id: idOf<DeploymentId>(id),
    uid: randomUUID(),
    name: 'orders',
    code: randomBytes(4).toString('hex').slice(0, 7),
    tenant_id: idOf<TenantId>(1),
    division: { id: idOf<DivisionId>(2), name: 'default' },
    environment: { id: idOf<EnvironmentId>(3), name: 'sandbox' },
    cloud: 'cloud_a',
    region: 'us-east-1',
    variant: 'managed',
    tier: 'free',
    cluster: 'standalone',
    storage: { type: 'local_ssd', size: null },
    retention: { telemetry_days: 7 },
    ...deploymentOptionsOf({}),
    subdomain_enabled: true,
    suspended: false,
    nodes: [{ id: idOf<NodeId>(id + 1), name: 'node-1' }],
    limits: {
      access_rules: 10,
      configs: 10,
      backups: 0,
      backup_days: 0,
      private_networking: false,
      private_connections: 0,
      private_endpoints: 0,
      snapshots: 3,
      snapshot_days: 7,
      monthly_cents: 0,
      ...limits,
    },
    created_at: new Date().toISOString(),
    ...more,
  };
}

import { randomBytes, randomInt } from 'node:crypto';
import {
  idOf,
  type DeploymentId,
  type DeploymentShape,
  type DivisionId,
  type EnvironmentId,
  type NodeId,
  type TenantId,
} from '@sluice/contracts';

/** A shape as main-api sends it, with ids of its own. */
export function aDeployment(more: Partial<DeploymentShape> = {}): DeploymentShape {
  const id = randomInt(1, 2 ** 40);
  return {
    id: idOf<DeploymentId>(id),
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
    encrypted: false,
    storage: { type: 'local_ssd', size: null },
    retention: { telemetry_days: 7 },
    target_network_tput: null,
    availability_mode: 'single_az',
    dedicated: false,
    public_ip_enabled: true,
    subdomain_enabled: true,
    spend_limit: null,
    nodes: [{ id: idOf<NodeId>(id + 1), name: 'node-1' }],
    limits: {
      access_rules: 10,
      private_networking: false,
      private_connections: 0,
      private_endpoints: 0,
      monthly_cents: 0,
    },
    created_at: new Date().toISOString(),
    ...more,
  };
}

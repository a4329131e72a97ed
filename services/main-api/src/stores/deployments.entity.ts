import type {
  Cloud,
  CloudAccess,
  DeploymentId,
  DeploymentSpec,
  DeploymentStatus,
  DivisionId,
  EnvironmentId,
  NodeId,
  TenantId,
  Tier,
} from '@sluice/contracts';
import { EntitySchema } from 'typeorm';
import type { CatalogueRegion } from '../catalogue/catalogue.ts';
import { idColumn } from './columns.ts';
import type { EnvironmentPath } from './environments.entity.ts';

/** The ids in a path that names a deployment. */
export interface DeploymentPath extends EnvironmentPath {
  deployment_id: DeploymentId;
}

export interface DeploymentRow {
  id: DeploymentId;
  /** tells it from all others for good */
  uid: string;
  tenant_id: TenantId;
  division_id: DivisionId;
  environment_id: EnvironmentId;
  name: string;
  code: string;
  domain: string | null;
  description: string | null;
  protected: boolean;
  variant: DeploymentSpec['variant'];
  /** null but for byoc */
  cloud_access: CloudAccess | null;
  /** whether the tenant has deleted the account that it is in */
  cloud_account_deleted: boolean;
  cloud: Cloud;
  region: string;
  area: CatalogueRegion['area'];
  tier: Tier;
  cluster: DeploymentSpec['cluster'];
  encrypted: boolean;
  storage_type: DeploymentSpec['storage']['type'];
  /** gigabytes; null for local storage */
  storage_size: number | null;
  telemetry_days: number;
  /** KB/s */
  target_network_tput: number | null;
  availability_mode: DeploymentSpec['availability_mode'];
  dedicated: boolean;
  public_ip_enabled: boolean;
  subdomain_enabled: boolean;
  /** US dollars a month */
  spend_limit: number | null;
  generation: number;
  status: DeploymentStatus;
  status_reason: string | null;
  status_version: number;
  delete_requested_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** pg hands decimals over as text, to lose nothing; cents are exact in a number up to 10^13 */
export const decimal = {
  to: (value: number | null) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};

export const Deployment = new EntitySchema<DeploymentRow>({
  name: 'deployment',
  tableName: 'deployments',
  columns: {
    id: idColumn,
    uid: { type: 'uuid', generated: 'uuid' },
    tenant_id: { type: 'bigint' },
    division_id: { type: 'bigint' },
    environment_id: { type: 'bigint' },
    name: { type: 'text' },
    code: { type: 'text' },
    domain: { type: 'text', nullable: true },
    description: { type: 'text', nullable: true },
    protected: { type: 'boolean' },
    variant: { type: 'text' },
    cloud_access: { type: 'jsonb', nullable: true },
    cloud_account_deleted: { type: 'boolean', default: false },
    cloud: { type: 'text' },
    region: { type: 'text' },
    area: { type: 'text' },
    tier: { type: 'text' },
    cluster: { type: 'text' },
    encrypted: { type: 'boolean' },
    storage_type: { type: 'text' },
    storage_size: { type: 'integer', nullable: true },
    telemetry_days: { type: 'integer' },
    target_network_tput: { type: 'integer', nullable: true },
    availability_mode: { type: 'text' },
    dedicated: { type: 'boolean' },
    public_ip_enabled: { type: 'boolean' },
    subdomain_enabled: { type: 'boolean' },
    spend_limit: { type: 'numeric', nullable: true, transformer: decimal },
    generation: { type: 'integer', default: 1 },
    status: { type: 'text', default: 'creating' },
    status_reason: { type: 'text', nullable: true },
    status_version: { type: 'integer', default: 0 },
    delete_requested_at: { type: 'timestamptz', nullable: true },
    created_at: { type: 'timestamptz', createDate: true },
    updated_at: { type: 'timestamptz', updateDate: true },
  },
});

export interface DeploymentNodeRow {
  id: NodeId;
  deployment_id: DeploymentId;
  name: string;
  image_id: string;
  instance: string;
  storage_type: string;
}

export const DeploymentNode = new EntitySchema<DeploymentNodeRow>({
  name: 'deployment_node',
  tableName: 'deployment_nodes',
  columns: {
    id: idColumn,
    deployment_id: { type: 'bigint' },
    name: { type: 'text' },
    image_id: { type: 'text' },
    instance: { type: 'text' },
    storage_type: { type: 'text' },
  },
});

/** The tombstone of a deployment that is gone. */
export interface RemovedDeploymentRow {
  uid: string;
  deployment_id: DeploymentId;
  removed_at: Date;
}

export const RemovedDeployment = new EntitySchema<RemovedDeploymentRow>({
  name: 'removed_deployment',
  tableName: 'removed_deployments',
  columns: {
    uid: { type: 'uuid', primary: true },
    deployment_id: { type: 'bigint' },
    removed_at: { type: 'timestamptz', createDate: true },
  },
});

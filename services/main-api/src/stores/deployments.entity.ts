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
import type { CatalogueRegion } from '../catalogue/catalogue.ts';
import {
  bigint,
  boolean,
  id,
  integer,
  jsonb,
  nullable,
  numeric,
  table,
  text,
  time,
  uuid,
  type RowOf,
} from './columns.ts';
import type { EnvironmentPath } from './environments.entity.ts';

export interface DeploymentPath extends EnvironmentPath {
  deployment_id: DeploymentId;
}

/** pg hands decimals over as text, to lose nothing; cents are exact in a number up to 10^13 */
export const decimal = {
  to: (value: number | null) => value,
  from: (value: string | null) => (value === null ? null : Number(value)),
};

export const Deployment = table('deployments', {
  id: id<DeploymentId>(),
  /** never used again, also after a restore of the database */
  uid: uuid({ generated: 'uuid' }),
  tenant_id: bigint<TenantId>(),
  division_id: bigint<DivisionId>(),
  environment_id: bigint<EnvironmentId>(),
  name: text(),
  code: text(),
  domain: nullable(text()),
  description: nullable(text()),
  protected: boolean(),
  variant: text<DeploymentSpec['variant']>(),
  /** null but for byoc */
  cloud_access: nullable(jsonb<CloudAccess>()),
  /** whether the tenant has deleted the account that it is in */
  cloud_account_deleted: boolean({ default: false }),
  cloud: text<Cloud>(),
  region: text(),
  area: text<CatalogueRegion['area']>(),
  tier: text<Tier>(),
  cluster: text<DeploymentSpec['cluster']>(),
  encrypted: boolean(),
  storage_type: text<DeploymentSpec['storage']['type']>(),
  /** gigabytes; null for local storage */
  storage_size: nullable(integer()),
  telemetry_days: integer(),
  /** KB/s */
  target_network_tput: nullable(integer()),
  availability_mode: text<DeploymentSpec['availability_mode']>(),
  dedicated: boolean(),
  public_ip_enabled: boolean(),
  subdomain_enabled: boolean(),
  /** US dollars a month */
  spend_limit: nullable(numeric({ transformer: decimal })),
  generation: integer({ default: 1 }),
  status: text<DeploymentStatus>({ default: 'creating' }),
  status_reason: nullable(text()),
  status_version: integer({ default: 0 }),
  delete_requested_at: nullable(time()),
  created_at: time({ createDate: true }),
  updated_at: time({ updateDate: true }),
});
export type DeploymentRow = RowOf<typeof Deployment>;

export const DeploymentNode = table('deployment_nodes', {
  id: id<NodeId>(),
  deployment_id: bigint<DeploymentId>(),
  name: text(),
  image_id: text(),
  instance: text(),
  storage_type: text(),
});
export type DeploymentNodeRow = RowOf<typeof DeploymentNode>;

/** The tombstone of a deployment that is gone. */
export const RemovedDeployment = table('removed_deployments', {
  uid: uuid({ primary: true }),
  deployment_id: bigint<DeploymentId>(),
  removed_at: time({ createDate: true }),
});

import type {
  ConnectorInstanceId,
  ConnectorsReport,
  ConnectorStatus,
  ConnectorType,
  DeploymentId,
  Plugins,
} from '@sluice/contracts';
import { bigint, id, jsonb, nullable, table, text, time, type RowOf } from './columns.ts';

export const ConnectorInstance = table('connector_instances', {
  id: id<ConnectorInstanceId>(),
  deployment_id: bigint<DeploymentId>(),
  connector_type: text<ConnectorType>(),
  connector_key: text(),
  name: text(),
  /** unique in the deployment among those that were not refused */
  key: text(),
  status: text<ConnectorStatus>({ default: 'pending' }),
  status_reason: nullable(text()),
  /** when the region has taken it in */
  accepted_at: nullable(time()),
  /** when the region would not have it, for good */
  refused_at: nullable(time()),
  created_at: time({ createDate: true }),
});
export type ConnectorInstanceRow = RowOf<typeof ConnectorInstance>;

/** The connectors runtime of a deployment, as its region has reported it. */
export const ConnectorRuntime = table('connector_runtimes', {
  deployment_id: bigint<DeploymentId>({ primary: true }),
  version: bigint<ConnectorsReport['version']>(),
  plugins: jsonb<Plugins>(),
});

/** The tombstone of an instance that is deleted. */
export const RemovedConnectorInstance = table('removed_connector_instances', {
  id: bigint<ConnectorInstanceId>({ primary: true }),
  deployment_id: bigint<DeploymentId>(),
  removed_at: time({ createDate: true }),
});

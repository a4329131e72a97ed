import type {
  ConnectorInstanceId,
  ConnectorsReport,
  ConnectorStatus,
  ConnectorType,
  DeploymentId,
  Plugins,
} from '@sluice/contracts';
import { EntitySchema } from 'typeorm';
import { idColumn } from './columns.ts';

export interface ConnectorInstanceRow {
  id: ConnectorInstanceId;
  deployment_id: DeploymentId;
  connector_type: ConnectorType;
  connector_key: string;
  name: string;
  /** unique in the deployment among those that were not refused */
  key: string;
  status: ConnectorStatus;
  status_reason: string | null;
  /** when the region has taken it in */
  accepted_at: Date | null;
  /** when the region would not have it, for good */
  refused_at: Date | null;
  created_at: Date;
}

export const ConnectorInstance = new EntitySchema<ConnectorInstanceRow>({
  name: 'connector_instance',
  tableName: 'connector_instances',
  columns: {
    id: idColumn,
    deployment_id: { type: 'bigint' },
    connector_type: { type: 'text' },
    connector_key: { type: 'text' },
    name: { type: 'text' },
    key: { type: 'text' },
    status: { type: 'text', default: 'pending' },
    status_reason: { type: 'text', nullable: true },
    accepted_at: { type: 'timestamptz', nullable: true },
    refused_at: { type: 'timestamptz', nullable: true },
    created_at: { type: 'timestamptz', createDate: true },
  },
});

/** The connectors runtime of a deployment, as its region has told of it. */
interface ConnectorRuntimeRow {
  deployment_id: DeploymentId;
  version: ConnectorsReport['version'];
  plugins: Plugins;
}

export const ConnectorRuntime = new EntitySchema<ConnectorRuntimeRow>({
  name: 'connector_runtime',
  tableName: 'connector_runtimes',
  columns: {
    deployment_id: { type: 'bigint', primary: true },
    version: { type: 'bigint' },
    plugins: { type: 'jsonb' },
  },
});

/** The tombstone of an instance that is deleted. */
interface RemovedConnectorInstanceRow {
  id: ConnectorInstanceId;
  deployment_id: DeploymentId;
  removed_at: Date;
}

export const RemovedConnectorInstance = new EntitySchema<RemovedConnectorInstanceRow>({
  name: 'removed_connector_instance',
  tableName: 'removed_connector_instances',
  columns: {
    id: { type: 'bigint', primary: true },
    deployment_id: { type: 'bigint' },
    removed_at: { type: 'timestamptz', createDate: true },
  },
});

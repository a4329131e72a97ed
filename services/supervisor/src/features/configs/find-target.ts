import { connectorTypes, findConnector, type ConnectorType, type DeploymentId } from '@sluice/contracts';
import type { Database } from '@sluice/region-store/tables';
import { listConnectorInstances } from '../connectors/connector-instances.store.ts';
import { brokerTarget, type ConfigTarget } from './config-targets.ts';
import { connectorTarget } from './connector-target.ts';

/** What a kind is about; undefined for what is none, and for instances that the deployment does not have. */
export type FindTarget = (kind: string) => ConfigTarget | undefined;

/** Finds what the kinds of a deployment's configurations are about. */
export async function targetsOf(
  db: Database,
  deploymentId: DeploymentId,
  brokerRuntime: string,
): Promise<FindTarget> {
  const instances = await listConnectorInstances(db, deploymentId);
  return (kind) => {
    if (kind === 'broker') return brokerTarget(brokerRuntime);
    const named = readConnectorKind(kind);
    const instance = instances.find(
      ({ key, connector_type }) => key === named?.key && connector_type === named.type,
    );
    return instance && connectorTarget(kind, instance.connector_type, instance.connector_key, instance.id);
  };
}

/** Of a connector of the catalogue, for its schema: no instance has to be there. */
export function catalogueTarget(kind: string): ConfigTarget | undefined {
  const named = readConnectorKind(kind);
  return named && findConnector(named.type, named.key) && connectorTarget(kind, named.type, named.key, null);
}

/** `connector:sink:orders` */
function readConnectorKind(kind: string): { type: ConnectorType; key: string } | undefined {
  const [connector, typeName, key, ...rest] = kind.split(':');
  const type = connectorTypes.find((one) => one === typeName);
  return connector === 'connector' && type && key !== undefined && rest.length === 0
    ? { type, key }
    : undefined;
}

import type { ConfigId, ConnectorInstanceId, DeploymentId } from '@sluice/contracts';
import type { SecretBox } from '@sluice/system/secrets';
import type { Database } from '@sluice/region-store/tables';
import { listAppliedConnectors } from './configs.store.ts';
import { openValues, type Values } from './stored-values.ts';

/** The configuration of an instance of a connector, its secrets included. */
export interface ConnectorConfig {
  id: ConfigId;
  version: number;
  values: Values;
}

/** The configurations that a deployment's connectors are to go by; instances that have none are left out. */
export async function appliedConnectorConfigs(
  db: Database,
  secrets: SecretBox,
  deploymentId: DeploymentId,
): Promise<Map<ConnectorInstanceId, ConnectorConfig>> {
  const configs = await listAppliedConnectors(db, deploymentId);
  const opened = configs.map(async ({ instance_id, id, version, sealed_values }) => {
    return [instance_id, { id, version, values: await openValues(secrets, { sealed_values }) }] as const;
  });
  return new Map(await Promise.all(opened));
}

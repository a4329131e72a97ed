import type {
  Connector,
  ConnectorInstanceId,
  ConnectorsReport,
  DeploymentId,
  Plugins,
  TenantId,
} from '@sluice/contracts';
import { problem } from '@sluice/service';
import { In, IsNull } from 'typeorm';
import type { Database } from '../database.ts';
import { ConnectorInstance, type ConnectorInstanceRow } from './connector-instances.entity.ts';
import type { DeploymentPath } from './deployments.entity.ts';
import { countRows } from './rows.ts';

/** What is known of the connectors of a deployment. */
export interface KnownConnectors {
  /** what the deployment's connectors runtime has; before its nodes have reported, what those of its region's release have */
  plugins: Plugins;
  /** oldest first: `mostConnectorInstances` at most */
  instances: ConnectorInstanceRow[];
}

/** @throws Problem `not_found` when there is no such deployment */
export async function getConnectors(
  db: Database,
  { tenant_id, division_id, environment_id, deployment_id }: DeploymentPath,
): Promise<KnownConnectors> {
  type Known = Pick<KnownConnectors, 'plugins'> & (ConnectorInstanceRow | { id: null });
  const rows = await db.query<Known>(
    `SELECT i.*, coalesce(r.plugins, g.plugins) AS plugins FROM deployments d
     JOIN regions g ON g.cloud = d.cloud AND g.region = d.region
     LEFT JOIN connector_runtimes r ON r.deployment_id = d.id
     LEFT JOIN connector_instances i ON i.deployment_id = d.id
     WHERE d.id = $1 AND d.tenant_id = $2 AND d.division_id = $3 AND d.environment_id = $4 ORDER BY i.id`,
    [deployment_id, tenant_id, division_id, environment_id],
  );
  const [first] = rows;
  if (first === undefined) throw problem('not_found');
  return { plugins: first.plugins, instances: rows.filter((row) => row.id !== null) };
}

/** The instances of these deployments that no region has refused, oldest first. */
export async function listWantedInstances(
  db: Database,
  deploymentIds: DeploymentId[],
): Promise<ConnectorInstanceRow[]> {
  return await db.manager.find(ConnectorInstance, {
    where: { deployment_id: In(deploymentIds), refused_at: IsNull() },
    order: { id: 'ASC' },
  });
}

export async function countConnectorInstances(db: Database, deploymentId: DeploymentId): Promise<number> {
  return await db.manager.countBy(ConnectorInstance, { deployment_id: deploymentId });
}

/** How many instances of certain connectors a tenant has, those left out that a region has refused. */
export async function countInstancesOf(
  db: Database,
  tenantId: TenantId,
  connectors: readonly Pick<Connector, 'type' | 'key'>[],
): Promise<number> {
  const source = `connector_instances i
    JOIN deployments d ON d.id = i.deployment_id
    JOIN unnest($2::text[], $3::text[]) AS one (type, key) ON (one.type, one.key) = (i.connector_type, i.connector_key)
    WHERE d.tenant_id = $1 AND i.refused_at IS NULL`;
  return await countRows(db, source, [
    tenantId,
    connectors.map(({ type }) => type),
    connectors.map(({ key }) => key),
  ]);
}

type NewInstance = Pick<ConnectorInstanceRow, 'deployment_id' | 'connector_type' | 'connector_key' | 'name'>;

/**
 * Adds an instance, under `key` or one that is made of the connector and the instance's id. Undefined when another instance
 * of the deployment has that key.
 */
export async function insertConnectorInstance(
  db: Database,
  { deployment_id, connector_type, connector_key, name }: NewInstance,
  key: string | null,
): Promise<ConnectorInstanceRow | undefined> {
  const [row] = await db.query<ConnectorInstanceRow>(
    `WITH next AS (SELECT nextval(pg_get_serial_sequence('connector_instances', 'id')) AS id)
     INSERT INTO connector_instances (id, deployment_id, connector_type, connector_key, name, key)
     OVERRIDING SYSTEM VALUE
     SELECT id, $1::bigint, $2::text, $3::text, $4::text, coalesce($5::text, $3::text || '-' || $2::text || '-' || id)
     FROM next
     ON CONFLICT (deployment_id, key) WHERE refused_at IS NULL DO NOTHING RETURNING *`,
    [deployment_id, connector_type, connector_key, name, key],
  );
  return row;
}

/** Forgets the instances of one connector that the deployment's region has refused. */
export async function deleteRefusedInstances(
  db: Database,
  { deployment_id, connector_type, connector_key }: Omit<NewInstance, 'name'>,
): Promise<void> {
  await db.query(
    `DELETE FROM connector_instances
     WHERE deployment_id = $1 AND connector_type = $2 AND connector_key = $3 AND refused_at IS NOT NULL`,
    [deployment_id, connector_type, connector_key],
  );
}

/** Which instance a region speaks of. */
interface NamedInstance {
  deployment_id: DeploymentId;
  instance_id: ConnectorInstanceId;
}

export async function markAccepted(
  db: Database,
  { deployment_id, instance_id }: NamedInstance,
): Promise<void> {
  await db.query(
    `UPDATE connector_instances SET accepted_at = now()
     WHERE id = $1 AND deployment_id = $2 AND accepted_at IS NULL AND refused_at IS NULL`,
    [instance_id, deployment_id],
  );
}

/** @returns the instance, unless it is gone or was refused before: a refusal is final */
export async function markRefused(
  db: Database,
  { deployment_id, instance_id }: NamedInstance,
  reason: string,
): Promise<ConnectorInstanceRow | undefined> {
  const [row] = await db.query<ConnectorInstanceRow>(
    `UPDATE connector_instances SET status = 'failed', status_reason = $3, refused_at = now()
     WHERE id = $1 AND deployment_id = $2 AND refused_at IS NULL RETURNING *`,
    [instance_id, deployment_id, reason],
  );
  return row;
}

/** Takes in how the connectors of a deployment are, unless something newer is known. A refusal stays one. */
export async function applyConnectorsState(
  db: Database,
  deploymentId: DeploymentId,
  { version, plugins, instances }: ConnectorsReport,
): Promise<void> {
  await db.query(
    `WITH newer AS (
       INSERT INTO connector_runtimes AS known (deployment_id, version, plugins) VALUES ($1, $2, $3)
       ON CONFLICT (deployment_id) DO UPDATE SET version = excluded.version, plugins = excluded.plugins
       WHERE known.version < excluded.version RETURNING deployment_id
     )
     UPDATE connector_instances i SET status = told.status, status_reason = told.reason
     FROM newer, jsonb_to_recordset($4::jsonb) AS told (id bigint, status text, reason text)
     WHERE i.id = told.id AND i.deployment_id = newer.deployment_id AND i.refused_at IS NULL`,
    [deploymentId, version, JSON.stringify(plugins), JSON.stringify(instances)],
  );
}

/** Deletes an instance that its region has deleted, and leaves a tombstone. */
export async function deleteConnectorInstance(
  db: Database,
  { deployment_id, instance_id }: NamedInstance,
): Promise<void> {
  await db.query(
    `WITH gone AS (DELETE FROM connector_instances WHERE id = $1 AND deployment_id = $2)
     INSERT INTO removed_connector_instances (id, deployment_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
    [instance_id, deployment_id],
  );
}

import type {
  Connector,
  ConnectorInstanceId,
  ConnectorsReport,
  DeploymentId,
  Plugins,
  TenantId,
  ConnectorStatus,
  ConnectorType,
} from '@sluice/contracts';
import { problem } from '@sluice/service';
import { In, IsNull, Not } from 'typeorm';
import type { Database } from './database.ts';
import type { DeploymentPath } from './deployments.store.ts';
import { changeRows, countRows, firstOf } from './rows.ts';
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

/** The connectors runtime of a deployment, as its region has reported it; its statements are text. */
table('connector_runtimes', {
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
export const listWantedInstances = (db: Database, deploymentIds: DeploymentId[]) =>
  db.manager.find(ConnectorInstance, {
    where: { deployment_id: In(deploymentIds), refused_at: IsNull() },
    order: { id: 'ASC' },
  });

export const countConnectorInstances = (db: Database, deploymentId: DeploymentId) =>
  db.manager.countBy(ConnectorInstance, { deployment_id: deploymentId });

/** The most instances that a deployment of a tenant has. */
export async function mostInstances(db: Database, tenantId: TenantId): Promise<number> {
  const most = db.query<{ most: number | null }>(
    `SELECT max((SELECT count(*) FROM connector_instances i WHERE i.deployment_id = d.id)) AS most
     FROM deployments d WHERE d.tenant_id = $1`,
    [tenantId],
  );
  return (await firstOf(most))?.most ?? 0;
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
export const insertConnectorInstance = (
  db: Database,
  { deployment_id, connector_type, connector_key, name }: NewInstance,
  key: string | null,
) =>
  firstOf(
    db.query<ConnectorInstanceRow>(
      `WITH next AS (SELECT nextval(pg_get_serial_sequence('connector_instances', 'id')) AS id)
     INSERT INTO connector_instances (id, deployment_id, connector_type, connector_key, name, key)
     OVERRIDING SYSTEM VALUE
     SELECT id, $1::bigint, $2::text, $3::text, $4::text, coalesce($5::text, $3::text || '-' || $2::text || '-' || id)
     FROM next
     ON CONFLICT (deployment_id, key) WHERE refused_at IS NULL DO NOTHING RETURNING *`,
      [deployment_id, connector_type, connector_key, name, key],
    ),
  );

export const deleteRefusedInstances = (db: Database, connector: Omit<NewInstance, 'name'>) =>
  db.manager.delete(ConnectorInstance, { ...connector, refused_at: Not(IsNull()) });

/** Which instance a region speaks of. */
interface NamedInstance {
  deployment_id: DeploymentId;
  instance_id: ConnectorInstanceId;
}

export const markAccepted = (db: Database, { deployment_id, instance_id: id }: NamedInstance) =>
  db.manager.update(
    ConnectorInstance,
    { id, deployment_id, accepted_at: IsNull(), refused_at: IsNull() },
    { accepted_at: () => 'now()' },
  );

/** @returns the instance, unless it is gone or was refused before: a refusal is final */
export const markRefused = (
  db: Database,
  { deployment_id, instance_id: id }: NamedInstance,
  reason: string,
) =>
  firstOf(
    changeRows(
      db,
      ConnectorInstance,
      { id, deployment_id, refused_at: IsNull() },
      { status: 'failed', status_reason: reason, refused_at: () => 'now()' },
    ),
  );

/** Takes in how the connectors of a deployment are, unless something newer is known. A refusal stays one. */
export const applyConnectorsState = (
  db: Database,
  deploymentId: DeploymentId,
  { version, plugins, instances }: ConnectorsReport,
) =>
  db.query(
    `WITH newer AS (
       INSERT INTO connector_runtimes AS known (deployment_id, version, plugins) VALUES ($1, $2, $3)
       ON CONFLICT (deployment_id) DO UPDATE SET version = excluded.version, plugins = excluded.plugins
       WHERE known.version < excluded.version RETURNING deployment_id
     )
     UPDATE connector_instances i SET status = reported.status, status_reason = reported.reason
     FROM newer, jsonb_to_recordset($4::jsonb) AS reported (id bigint, status text, reason text)
     WHERE i.id = reported.id AND i.deployment_id = newer.deployment_id AND i.refused_at IS NULL`,
    [deploymentId, version, JSON.stringify(plugins), JSON.stringify(instances)],
  );

/** Deletes an instance that its region has deleted, and leaves a tombstone. */
export const deleteConnectorInstance = (db: Database, { deployment_id, instance_id }: NamedInstance) =>
  db.query(
    `WITH gone AS (DELETE FROM connector_instances WHERE id = $1 AND deployment_id = $2)
     INSERT INTO removed_connector_instances (id, deployment_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
    [instance_id, deployment_id],
  );

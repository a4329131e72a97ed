import type { DeploymentId, DivisionId, EnvironmentId, ReportData, TenantId, Tier } from '@sluice/contracts';
import type { Page } from '@sluice/service-kit';
import { In } from 'typeorm';
import type { Database } from '../database.ts';
import {
  Deployment,
  DeploymentNode,
  type DeploymentNodeRow,
  type DeploymentRow,
} from './deployments.entity.ts';

export interface DeploymentPlace {
  tenant_id: TenantId;
  division_id: DivisionId;
  environment_id: EnvironmentId;
}

/** A deployment as the API shows it. */
export interface DeploymentView extends Omit<DeploymentRow, 'spend_limit'> {
  supervisor_url: string;
  nodes_count: number;
}

const view = `SELECT d.*, r.supervisor_url,
    (SELECT count(*) FROM deployment_nodes n WHERE n.deployment_id = d.id) AS nodes_count
  FROM deployments d JOIN regions r ON r.cloud = d.cloud AND r.region = d.region`;
const inPlace = 'd.tenant_id = $1 AND d.division_id = $2 AND d.environment_id = $3';

export async function findDeployment(
  db: Database,
  { tenant_id, division_id, environment_id }: DeploymentPlace,
  id: DeploymentId,
): Promise<DeploymentView | undefined> {
  const [deployment] = await db.query<DeploymentView>(`${view} WHERE ${inPlace} AND d.id = $4`, [
    tenant_id,
    division_id,
    environment_id,
    id,
  ]);
  return deployment;
}

export async function listDeployments(
  db: Database,
  { tenant_id, division_id, environment_id }: DeploymentPlace,
  { offset, results }: Page,
): Promise<[DeploymentView[], number]> {
  const deployments = await db.query<DeploymentView>(
    `${view} WHERE ${inPlace} ORDER BY d.created_at DESC, d.id DESC OFFSET $4 LIMIT $5`,
    [tenant_id, division_id, environment_id, offset, results],
  );
  return [deployments, await db.manager.countBy(Deployment, { environment_id })];
}

export async function deploymentsExist(
  db: Database,
  where: { tenant_id: TenantId } | { division_id: DivisionId } | { environment_id: EnvironmentId },
): Promise<boolean> {
  return await db.manager.existsBy(Deployment, where);
}

export async function nameIsTaken(
  db: Database,
  environmentId: EnvironmentId,
  name: string,
): Promise<boolean> {
  return await db.manager.existsBy(Deployment, { environment_id: environmentId, name });
}

/** How many deployments of each tier a tenant has; one counts until nothing is left of it. */
export async function countByTier(db: Database, tenantId: TenantId): Promise<Map<Tier, number>> {
  const rows = await db.query<{ tier: Tier; count: number }>(
    'SELECT tier, count(*) FROM deployments WHERE tenant_id = $1 GROUP BY tier',
    [tenantId],
  );
  return new Map(rows.map(({ tier, count }) => [tier, count]));
}

const provisioning: DeploymentRow['status'][] = [
  'creating',
  'creating_subnet',
  'securing_network',
  'configuring_dns',
  'configuring_certificates',
  'waiting_for_nodes',
  'deploying_nodes',
];

export async function countProvisioning(db: Database, tenantId: TenantId): Promise<number> {
  return await db.manager.countBy(Deployment, { tenant_id: tenantId, status: In(provisioning) });
}

export type NewDeployment = Omit<
  DeploymentRow,
  | 'id'
  | 'description'
  | 'generation'
  | 'status'
  | 'status_reason'
  | 'status_version'
  | 'delete_requested_at'
  | 'created_at'
  | 'updated_at'
>;

/** Adds a deployment, unless its code is in use: then null. The caller has made sure of the name. */
export async function insertDeployment(
  db: Database,
  deployment: NewDeployment,
): Promise<DeploymentId | null> {
  const columns = Object.keys(deployment);
  const [row] = await db.query<{ id: DeploymentId }>(
    `INSERT INTO deployments (${columns.join(', ')}) VALUES (${columns.map((_, i) => `$${i + 1}`).join(', ')})
     ON CONFLICT ON CONSTRAINT deployments_code_key DO NOTHING RETURNING id`,
    Object.values(deployment),
  );
  return row?.id ?? null;
}

export async function insertNode(
  db: Database,
  node: Omit<DeploymentNodeRow, 'id'>,
): Promise<DeploymentNodeRow> {
  const row = db.manager.create(DeploymentNode, node);
  await db.manager.insert(DeploymentNode, row);
  return row;
}

/** Counts a new generation of each deployment that is not being deleted. */
export async function nextGeneration(
  db: Database,
  where: { division_id: DivisionId } | { environment_id: EnvironmentId },
): Promise<DeploymentId[]> {
  const [column, id] =
    'division_id' in where ? ['division_id', where.division_id] : ['environment_id', where.environment_id];
  const rows = await db.query<{ id: DeploymentId }>(
    `UPDATE deployments SET generation = generation + 1
     WHERE ${column} = $1 AND delete_requested_at IS NULL RETURNING id`,
    [id],
  );
  return rows.map((row) => row.id);
}

export interface DeploymentWithNames extends DeploymentRow {
  division_name: string;
  environment_name: string;
  nodes: DeploymentNodeRow[];
}

/** Deployments with all that their shape is made of. */
export async function findWithNames(db: Database, ids: DeploymentId[]): Promise<DeploymentWithNames[]> {
  const deployments = await db.manager.find(Deployment, { where: { id: In(ids) }, order: { id: 'ASC' } });
  const nodes = await db.manager.find(DeploymentNode, {
    where: { deployment_id: In(ids) },
    order: { id: 'ASC' },
  });
  const names = await db.query<{ id: DeploymentId; division_name: string; environment_name: string }>(
    `SELECT d.id, v.name AS division_name, e.name AS environment_name
     FROM deployments d JOIN divisions v ON v.id = d.division_id JOIN environments e ON e.id = d.environment_id
     WHERE d.id = ANY ($1)`,
    [ids],
  );
  const namesOf = new Map(names.map(({ id, ...rest }) => [id, rest]));
  return deployments.map((deployment) => ({
    ...deployment,
    division_name: namesOf.get(deployment.id)?.division_name ?? '',
    environment_name: namesOf.get(deployment.id)?.environment_name ?? '',
    nodes: nodes.filter(({ deployment_id }) => deployment_id === deployment.id),
  }));
}

export async function markDeleting(db: Database, id: DeploymentId): Promise<void> {
  await db.query(
    `UPDATE deployments SET status = 'deleting', status_reason = NULL, delete_requested_at = now(), updated_at = now()
     WHERE id = $1`,
    [id],
  );
}

/** Takes a newer status in. Once deletion was asked for, what the region reported before that no longer counts. */
export async function applyStatus(db: Database, report: ReportData<'deployment_status'>): Promise<void> {
  const { deployment_id, version, status, status_reason } = report;
  await db.query(
    `UPDATE deployments SET status_version = $2, updated_at = now(),
       status = CASE WHEN delete_requested_at IS NULL THEN $3 ELSE status END,
       status_reason = CASE WHEN delete_requested_at IS NULL OR $3 = 'deleting' THEN $4 ELSE status_reason END
     WHERE id = $1 AND status_version < $2`,
    [deployment_id, version, status, status_reason],
  );
}

export async function deleteDeployment(db: Database, id: DeploymentId): Promise<void> {
  await db.manager.delete(Deployment, { id });
}

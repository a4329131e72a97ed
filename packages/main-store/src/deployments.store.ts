import {
  deploymentOptionsOf,
  deploymentStatuses,
  statusesThatAre,
  statusIs,
  type DeploymentId,
  type DeploymentOptions,
  type DivisionId,
  type EnvironmentId,
  type HeldIn,
  type Labels,
  type NodeId,
  type Ref,
  type ReportData,
  type TenantId,
  type Tier,
  type Cloud,
  type CloudAccess,
  type DeploymentSpec,
  type DeploymentStatus,
} from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { problem } from '@sluice/service';
import { In, IsNull, type FindOperator } from 'typeorm';
import type { Database, Transaction } from './database.ts';
import { type DeploymentUpgradeRow, isOpen } from './deployment-upgrades.store.ts';
import type { EnvironmentPath } from './environments.store.ts';
import { labelCondition, labelValues } from './labels.ts';
import { changeRows, existing, firstOf, insertRow, pageOfRows } from './rows.ts';
import type { CatalogueRegion } from '@sluice/catalogue/catalogue';
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

export interface DeploymentPath extends EnvironmentPath {
  deployment_id: DeploymentId;
}

/** pg hands decimals over as text, to lose nothing; cents are exact in a number up to 10^13 */
const decimal = {
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
  labels: jsonb<Labels>({ default: {} }),
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
  /** those that have no column */
  options: jsonb<Partial<DeploymentOptions>>({ default: {} }),
  generation: integer({ default: 1 }),
  /** the newest assignment of a price list by which its region was sent its price */
  price_revision: integer({ default: 0 }),
  status: text<DeploymentStatus>({ default: 'creating' }),
  status_reason: nullable(text()),
  status_version: integer({ default: 0 }),
  /** when the region has seen it so; null where release 1.0.0 has stored the status */
  status_changed_at: nullable(time()),
  delete_requested_at: nullable(time()),
  created_at: time({ createDate: true }),
  updated_at: time({ updateDate: true }),
});
export type DeploymentRow = Omit<RowOf<typeof Deployment>, 'options'> & DeploymentOptions;

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

/** A deployment with the names, nodes and open upgrade that answers and commands show. */
export interface PlacedDeployment extends DeploymentRow {
  division_name: string;
  environment_name: string;
  supervisor_url: string;
  nodes: Ref<NodeId>[];
  /** the one that has not ended */
  upgrade: Pick<
    DeploymentUpgradeRow,
    'id' | 'to_tier' | 'to_storage_size' | 'nodes_before' | 'nodes_after'
  > | null;
}

/** The subjects of an event about a deployment. */
export const aboutOf = ({ id, uid, name, ...deployment }: PlacedDeployment) => ({
  tenant_id: deployment.tenant_id,
  division: { id: deployment.division_id, name: deployment.division_name },
  environment: { id: deployment.environment_id, name: deployment.environment_name },
  deployment: { id, name, uid },
});

type Raw<Row extends DeploymentRow> = Omit<Row, 'spend_limit'> & {
  spend_limit: string | null;
  options: object;
};
const read = <Row extends Raw<DeploymentRow>>({ spend_limit, options, ...row }: Row) => {
  const known = { ...options, ...row, spend_limit: decimal.from(spend_limit) };
  return { ...known, ...deploymentOptionsOf(known) };
};

const shownDeployment = {
  as: 'd',
  // not joined: for a page of unknown size PostgreSQL would read the environments of all tenants
  columns: `d.*, r.supervisor_url,
    (SELECT name FROM divisions v WHERE v.id = d.division_id) AS division_name,
    (SELECT name FROM environments e WHERE e.id = d.environment_id) AS environment_name,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('id', n.id, 'name', n.name) ORDER BY n.id), '[]')
     FROM deployment_nodes n WHERE n.deployment_id = d.id) AS nodes,
    (SELECT jsonb_build_object('id', u.id, 'to_tier', u.to_tier, 'to_storage_size', u.to_storage_size,
                'nodes_before', u.nodes_before, 'nodes_after', u.nodes_after)
     FROM deployment_upgrades u WHERE u.deployment_id = d.id AND u.${isOpen}) AS upgrade`,
  joins: 'JOIN regions r ON r.cloud = d.cloud AND r.region = d.region',
};
const placed = `SELECT ${shownDeployment.columns} FROM deployments d ${shownDeployment.joins}`;

export async function getDeployment(
  db: Database,
  { tenant_id, division_id, environment_id, deployment_id }: DeploymentPath,
): Promise<PlacedDeployment> {
  const found = db.query<Raw<PlacedDeployment>>(
    `${placed} WHERE d.tenant_id = $1 AND d.division_id = $2 AND d.environment_id = $3 AND d.id = $4`,
    [tenant_id, division_id, environment_id, deployment_id],
  );
  return read(await existing(firstOf(found)));
}

/** A deployment of a locked tenant. @throws Problem `not_found`, `state_conflict` once it is being deleted */
export async function getChangeable(tx: Transaction, path: DeploymentPath): Promise<PlacedDeployment> {
  const deployment = await getDeployment(tx, path);
  if (deployment.delete_requested_at)
    throw problem('state_conflict', { detail: 'The deployment is being deleted.' });
  return deployment;
}

export async function findDeployments(db: Database, ids: DeploymentId[]): Promise<PlacedDeployment[]> {
  const rows = await db.query<Raw<PlacedDeployment>>(`${placed} WHERE d.id = ANY ($1) ORDER BY d.id`, [ids]);
  return rows.map(read);
}

/** The deployments of an environment; the caller has made sure of its place. */
export async function listDeployments(
  db: Database,
  { environment_id }: Pick<EnvironmentPath, 'environment_id'>,
  page: Page,
): Promise<[PlacedDeployment[], number]> {
  // with its tenant and division as well, PostgreSQL would expect next to none, and put all of them in order
  const source = 'deployments WHERE environment_id = $1';
  const values = [environment_id];
  const [rows, total] = await pageOfRows<Raw<PlacedDeployment>>(db, page, source, values, shownDeployment);
  return [rows.map(read), total];
}

/** Which deployments of a tenant are listed; what is left out does not matter. */
export interface DeploymentFilter {
  /** part of the name, in any case */
  q?: string;
  division?: DivisionId;
  environment?: EnvironmentId;
  cloud?: Cloud;
  region?: string;
  tier?: Tier;
  status?: DeploymentStatus;
  /** `key=value` or `key`, several separated by commas */
  label?: string;
}

const deploymentOrders = {
  created_at: { by: 'created_at', direction: 'ASC' },
  '-created_at': { by: 'created_at', direction: 'DESC' },
  name: { by: 'name', direction: 'ASC' },
  '-name': { by: 'name', direction: 'DESC' },
} as const;
export type DeploymentOrder = keyof typeof deploymentOrders;

/** The deployments of a tenant in those of its environments; what filters and sorts reads all that the tenant has, at most what its plan allows. */
export async function listDeploymentsOf(
  db: Database,
  tenantId: TenantId,
  { byDefault, divisions, environments }: HeldIn,
  { q, division, environment, label, ...equal }: DeploymentFilter,
  order: DeploymentOrder,
  page: Page,
): Promise<[PlacedDeployment[], number]> {
  const values: unknown[] = [tenantId, byDefault, divisions, environments];
  const conditions = ['tenant_id = $1', '($2 <> (division_id = ANY ($3))) <> (environment_id = ANY ($4))'];
  const require = (condition: (value: string) => string, value: unknown) => {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`));
  };
  require((text) => `strpos(name, lower(${text})) > 0`, q);
  for (const [column, value] of Object.entries({
    ...equal,
    division_id: division,
    environment_id: environment,
  }))
    require((wanted) => `${column} = ${wanted}`, value);
  conditions.push(labelCondition(values.length + 1));
  values.push(...labelValues(label));
  const source = `deployments WHERE ${conditions.join(' AND ')}`;
  const shown = { ...shownDeployment, ...deploymentOrders[order] };
  const [rows, total] = await pageOfRows<Raw<PlacedDeployment>>(db, page, source, values, shown);
  return [rows.map(read), total];
}

export type Container =
  { tenant_id: TenantId } | { division_id: DivisionId } | { environment_id: EnvironmentId };

export const deploymentsExist = (db: Database, where: Container) => db.manager.existsBy(Deployment, where);

export async function findProtectedDeployment(
  db: Database,
  where: Container,
): Promise<DeploymentRow | undefined> {
  const [[column, id] = []] = Object.entries(where);
  // for the order and the limit alone PostgreSQL would go through all deployments there are, hoping to meet one soon
  const [row] = await db.query<Raw<DeploymentRow>>(
    `WITH found AS MATERIALIZED (
       SELECT * FROM deployments WHERE ${column} = $1 AND protected AND delete_requested_at IS NULL)
     SELECT * FROM found ORDER BY id LIMIT 1`,
    [id],
  );
  return row && read(row);
}

export const nameIsTaken = (db: Database, environmentId: EnvironmentId, name: string) =>
  db.manager.existsBy(Deployment, { environment_id: environmentId, name });

/**
 * How many deployments of each tier a tenant has. One counts until nothing is left of it, and while it is upgraded in the tier that it
 * goes to as well.
 */
export async function countByTier(db: Database, tenantId: TenantId): Promise<Map<Tier, number>> {
  const rows = await db.query<{ tier: Tier; count: number }>(
    `SELECT tier, count(*) FROM (
       SELECT tier FROM deployments WHERE tenant_id = $1
       UNION ALL
       SELECT u.to_tier FROM deployments d JOIN deployment_upgrades u ON u.deployment_id = d.id
       WHERE d.tenant_id = $1 AND u.${isOpen} AND u.to_tier <> d.tier
     ) AS held GROUP BY tier`,
    [tenantId],
  );
  return new Map(rows.map(({ tier, count }) => [tier, count]));
}

/** The tenants that have deployments in a region. */
export async function listTenantsIn(
  db: Database,
  { cloud, region }: Pick<DeploymentRow, 'cloud' | 'region'>,
): Promise<TenantId[]> {
  const rows = await db.query<{ tenant_id: TenantId }>(
    'SELECT DISTINCT tenant_id FROM deployments WHERE cloud = $1 AND region = $2 ORDER BY tenant_id',
    [cloud, region],
  );
  return rows.map(({ tenant_id }) => tenant_id);
}

/** How many deployments of a tenant need a capability of its plan, and the most nodes that one has. */
export const countNeeds = (db: Database, tenantId: TenantId) =>
  existing(
    firstOf(
      db.query<Record<'byoc' | 'cluster' | 'multi_az' | 'dedicated' | 'nodes', number>>(
        `SELECT count(*) FILTER (WHERE variant = 'byoc') AS byoc,
           count(*) FILTER (WHERE cluster = 'cluster') AS cluster,
           count(*) FILTER (WHERE availability_mode = 'multi_az') AS multi_az,
           count(*) FILTER (WHERE dedicated) AS dedicated,
           coalesce(max((SELECT count(*) FROM deployment_nodes n WHERE n.deployment_id = d.id)), 0) AS nodes
         FROM deployments d WHERE tenant_id = $1`,
        [tenantId],
      ),
    ),
  );

/** The deployments of a tenant that cost something while they are as they are. */
export async function listBillable(db: Database, tenant_id: TenantId): Promise<DeploymentId[]> {
  const rows = await db.manager.find(Deployment, {
    select: { id: true },
    where: { tenant_id, status: In(statusesThatAre('billable')), delete_requested_at: IsNull() },
  });
  return rows.map(({ id }) => id);
}

export const countProvisioning = (db: Database, tenantId: TenantId) =>
  db.manager.countBy(Deployment, { tenant_id: tenantId, status: In(statusesThatAre('provisioning')) });

export type NewDeployment = Omit<
  DeploymentRow,
  | 'id'
  | 'uid'
  | 'description'
  | 'cloud_account_deleted'
  | 'status_changed_at'
  | 'generation'
  | 'status'
  | 'status_reason'
  | 'status_version'
  | 'delete_requested_at'
  | 'created_at'
  | 'updated_at'
>;

/** Adds a deployment, unless its code is in use: then undefined. The caller has made sure of the name. */
export async function insertDeployment(
  db: Database,
  deployment: NewDeployment,
): Promise<DeploymentRow | undefined> {
  const columns: Record<string, unknown> = { options: {} };
  const options: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(deployment))
    (name in Deployment.options.columns ? columns : options)[name] = value;
  const row = { ...columns, options: JSON.stringify(options) };
  const values = Object.keys(row).map((_, position) => `$${position + 1}`);
  const inserted = db.query<Raw<DeploymentRow>>(
    `INSERT INTO deployments (${Object.keys(row).join(', ')}) VALUES (${values.join(', ')})
     ON CONFLICT ON CONSTRAINT deployments_code_key DO NOTHING RETURNING *`,
    Object.values(row),
  );
  const made = await firstOf(inserted);
  return made && read(made);
}

export const insertNode = (db: Database, node: Omit<DeploymentNodeRow, 'id'>) =>
  insertRow(db, DeploymentNode, node);

/** Makes of a deployment what it was upgraded to, on nodes of this type of machine; undefined: on those that it has. */
export async function takeUpgrade(
  db: Database,
  {
    deployment_id: id,
    to_tier: tier,
    to_storage_size: storage_size,
  }: Pick<DeploymentUpgradeRow, 'deployment_id' | 'to_tier' | 'to_storage_size'>,
  instance: string | undefined,
): Promise<void> {
  await updateDeployment(db, id, { tier, storage_size });
  if (instance !== undefined) await db.manager.update(DeploymentNode, { deployment_id: id }, { instance });
}

/** Changes columns: an option without one is set at the creation alone. */
export const updateDeployment = (
  db: Database,
  id: DeploymentId,
  changes: Partial<Omit<RowOf<typeof Deployment>, 'options'>>,
) => db.manager.update(Deployment, { id }, changes);

/**
 * Counts a new generation of each deployment that is not being deleted, whose price is sent by this revision of the price lists. During an
 * upgrade the region keeps the price that it has: it is sent again after that. `updated_at` is for changes of a status and of what people set.
 */
export async function nextGeneration(
  db: Database,
  where: { id: DeploymentId | FindOperator<DeploymentId> } | Container,
  priceRevision: number,
) {
  const upgrades = `(SELECT FROM deployment_upgrades u WHERE u.deployment_id = deployments.id AND u.${isOpen})`;
  const rows = await changeRows(
    db,
    Deployment,
    { ...where, delete_requested_at: IsNull() },
    {
      generation: () => 'generation + 1',
      price_revision: () =>
        `CASE WHEN EXISTS ${upgrades} THEN price_revision ELSE ${Math.trunc(priceRevision)} END`,
      updated_at: () => 'updated_at',
    },
  );
  return rows.map(({ id }) => id);
}

/** Locks deployments whose regions lack a price list that is assigned to their tenants, without those that are upgraded. */
export async function lockOutdatedPrices(tx: Database, limit: number): Promise<DeploymentId[]> {
  const rows = await tx.query<{ id: DeploymentId }>(
    `WITH newest AS MATERIALIZED (
       SELECT tenant_id, max(id) AS id FROM price_list_assignments GROUP BY tenant_id)
     SELECT id FROM deployments d
     WHERE (price_revision < (SELECT id FROM newest WHERE tenant_id IS NULL)
         OR tenant_id IN (SELECT tenant_id FROM newest WHERE tenant_id IS NOT NULL)
           AND price_revision < (SELECT n.id FROM newest n WHERE n.tenant_id = d.tenant_id))
       AND delete_requested_at IS NULL
       AND NOT EXISTS (SELECT FROM deployment_upgrades u WHERE u.deployment_id = d.id AND u.${isOpen})
     LIMIT $1 FOR UPDATE SKIP LOCKED`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

export const markDeleting = (db: Database, id: DeploymentId) =>
  db.manager.update(
    Deployment,
    { id },
    { status: 'deleting', status_reason: null, delete_requested_at: () => 'now()' },
  );

export const findIdentity = (db: Database, id: DeploymentId) =>
  db.manager.findOne(Deployment, {
    select: { id: true, cloud: true, region: true, uid: true, code: true },
    where: { id },
  });

/** Takes a newer status in. Once deletion was asked for, what the region reported before that no longer counts. */
export async function applyStatus(db: Database, report: ReportData<'deployment_status'>): Promise<void> {
  const { deployment_id, version, status, status_reason, changed_at } = report;
  await db.query(
    `UPDATE deployments SET status_version = $2, updated_at = now(), status_changed_at = $5,
       status = CASE WHEN delete_requested_at IS NULL THEN $3 ELSE status END,
       status_reason = CASE WHEN delete_requested_at IS NULL OR $3 = 'deleting' THEN $4 ELSE status_reason END
     WHERE id = $1 AND status_version < $2`,
    [deployment_id, version, status, status_reason, changed_at],
  );
}

/** Deletes a deployment of which nothing is left, and leaves a tombstone. */
export const deleteDeployment = (db: Database, id: DeploymentId) =>
  db.query(
    `WITH gone AS (DELETE FROM deployments WHERE id = $1 RETURNING uid, id)
     INSERT INTO removed_deployments (uid, deployment_id) SELECT uid, id FROM gone`,
    [id],
  );

/** the complement, which implies the condition of the index deployments_transient */
const lasting = deploymentStatuses
  .filter((status) => !statusIs('transient', status))
  .map((status) => `'${status}'`)
  .join(', ');

/**
 * Fails deployments that have been on their way since `before`, and of which their regions have reported nothing since: a new one not at
 * all, or any where the region itself is silent. The status keeps its version, so that the region's next report counts. No more than `limit`.
 */
export async function failUnreported(
  db: Database,
  before: Date,
  reason: string,
  limit: number,
): Promise<DeploymentId[]> {
  const rows = await db.query<{ id: DeploymentId }>(
    `UPDATE deployments SET status = 'failed', status_reason = $2, updated_at = now() WHERE id IN (
       SELECT d.id FROM deployments d JOIN regions r ON r.cloud = d.cloud AND r.region = d.region
       WHERE d.status NOT IN (${lasting}) AND d.delete_requested_at IS NULL AND d.updated_at < $1
         AND (d.status_version = 0 OR r.registered_at < $1)
       ORDER BY d.updated_at LIMIT $3 FOR UPDATE OF d SKIP LOCKED)
     RETURNING id`,
    [before, reason, limit],
  );
  return rows.map(({ id }) => id);
}

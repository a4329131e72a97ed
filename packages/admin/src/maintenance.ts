import type { Sql } from '@sluice/service';
import { conflict, notFound } from '@sluice/terminal/errors';
import { untilDone } from './until-done.ts';

/** Work on machines of a region, in its supervisor's database. Here it is planned, ended or cancelled; the supervisor carries it out. */

export interface Maintenance {
  id: number;
  starts_at: Date;
  minutes: number;
  reason: string | null;
  decision: 'end' | 'cancel' | null;
  finished_at: Date | null;
  /** how many nodes have which status */
  nodes: Record<string, number>;
}

export interface PlannedNode {
  node_id: number;
  name: string | null;
  deployment_id: number;
  tenant_id: number;
  status: string;
  waits_for: string | null;
}

/** Those behind `after`, oldest first. */
export function listMaintenances(sql: Sql, after: number, limit: number): Promise<Maintenance[]> {
  return sql.query<Maintenance>(
    `SELECT id, starts_at, minutes, reason, decision, finished_at, coalesce(
       (SELECT jsonb_object_agg(status, count) FROM (
          SELECT status, count(*) FROM maintenance_nodes WHERE maintenance_id = plan.id GROUP BY status) AS counted), '{}') AS nodes
     FROM maintenances AS plan WHERE id > $1 ORDER BY id LIMIT $2`,
    [after, limit],
  );
}

/** @returns undefined where there is none of this id */
export async function findMaintenance(sql: Sql, id: number): Promise<Maintenance | undefined> {
  const [found] = await listMaintenances(sql, id - 1, 1);
  return found?.id === id ? found : undefined;
}

/** The nodes of a maintenance, with what each waits for. */
export const nodesOf = (sql: Sql, id: number) =>
  sql.query<PlannedNode>(
    `SELECT planned.node_id, nodes.name, planned.deployment_id, (spec ->> 'tenant_id')::bigint AS tenant_id, planned.status, waits_for
     FROM maintenance_nodes AS planned JOIN deployments ON deployments.id = planned.deployment_id
     LEFT JOIN nodes ON nodes.id = planned.node_id
     WHERE maintenance_id = $1 ORDER BY planned.node_id`,
    [id],
  );

interface Plan {
  nodes: readonly number[];
  at: Date;
  minutes: number;
  reason?: string | undefined;
}

/**
 * Stores a plan, and waits until the supervisor has announced it.
 * @returns what came of it, and the id of the maintenance; none where it is only tried
 * @throws CliError when it is not possible
 */
export async function plan(
  sql: Sql,
  { nodes, at, minutes, reason }: Plan,
  isDry: boolean,
): Promise<{ text: string; id?: number }> {
  await sql.query('BEGIN');
  // a rejection closes the connection, and that ends the transaction
  await requirePlannable(sql, nodes);
  if (isDry) return { text: `A maintenance of ${count(nodes.length, 'node')} would be planned.` };
  const [made] = await sql.query<{ id: number }>(
    'INSERT INTO maintenances (reason, starts_at, minutes) VALUES ($1, $2, $3) RETURNING id',
    [reason ?? null, at, minutes],
  );
  const id = made?.id ?? 0;
  await sql.query(
    `INSERT INTO maintenance_nodes (maintenance_id, deployment_id, node_id)
     SELECT $1, deployment_id, id FROM nodes WHERE id = ANY ($2)`,
    [id, nodes],
  );
  await sql.query("SELECT pg_notify('maintenances', '')");
  await sql.query('COMMIT');
  const planned = await untilDone(
    () => nodesOf(sql, id),
    (found) => found.every(({ status }) => status !== 'new'),
  );
  const tenants = new Set(planned.map(({ tenant_id }) => tenant_id)).size;
  const of = `${count(planned.length, 'deployment')} of ${count(tenants, 'tenant')}`;
  const text = planned.some(({ status }) => status === 'new')
    ? `Maintenance ${id} of ${of} is planned. The supervisor has not announced it to all yet; it does so when it runs.`
    : `Maintenance ${id} of ${of} is planned and announced.`;
  return { text, id };
}

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;

/** @throws CliError for nodes that are not there, are planned for, or would stop two of a cluster */
async function requirePlannable(sql: Sql, nodes: readonly number[]): Promise<void> {
  const found = await sql.query<{ id: number; deployment_id: number; planned: number | null }>(
    `SELECT id, deployment_id,
       (SELECT maintenance_id FROM maintenance_nodes WHERE node_id = nodes.id AND finished_at IS NULL) AS planned
     FROM nodes WHERE id = ANY ($1) ORDER BY id`,
    [nodes],
  );
  const missing = nodes.filter((node) => !found.some(({ id }) => id === node));
  if (missing.length > 0) throw notFound(`This region has no node ${missing.join(', ')}.`);
  const twice = found.find(({ planned }) => planned !== null);
  if (twice)
    throw conflict(`Node ${twice.id} is in maintenance ${twice.planned}: end or cancel that before.`);
  for (const [index, { id, deployment_id }] of found.entries()) {
    const other = found.slice(0, index).find((one) => one.deployment_id === deployment_id);
    if (other)
      throw conflict(
        `Nodes ${other.id} and ${id} are of one cluster, deployment ${deployment_id}: plan one after the other.`,
      );
  }
}

/** Has a maintenance ended or cancelled, once. @returns what came of it @throws CliError when it is not possible */
export async function decide(
  sql: Sql,
  id: number,
  decision: 'end' | 'cancel',
  isDry: boolean,
): Promise<string> {
  await sql.query('BEGIN');
  const [known] = await sql.query<Pick<Maintenance, 'decision' | 'finished_at'>>(
    'SELECT decision, finished_at FROM maintenances WHERE id = $1 FOR UPDATE',
    [id],
  );
  if (!known) throw notFound(`There is no maintenance ${id}.`, 'sluice-admin maintenance list');
  if (known.finished_at) return `Maintenance ${id} is over; nothing is changed.`;
  const nodes = await nodesOf(sql, id);
  const begun = nodes.filter(({ status }) => ['stopping', 'stopped', 'starting', 'ended'].includes(status));
  if (decision === 'cancel' && begun.length > 0)
    throw conflict(`Maintenance ${id} has begun for ${count(begun.length, 'node')}: end it.`);
  if (decision === 'end' && begun.length === 0) throw conflict(`Maintenance ${id} has not begun: cancel it.`);
  const past = decision === 'end' ? 'ended' : 'cancelled';
  if (isDry) return `Maintenance ${id} would be ${past}.`;
  if (known.decision === null) {
    await sql.query('UPDATE maintenances SET decision = $2 WHERE id = $1', [id, decision]);
    await sql.query("SELECT pg_notify('maintenances', '')");
  }
  await sql.query('COMMIT');
  const left = await untilDone(
    async () => (await nodesOf(sql, id)).filter(({ status }) => status !== 'ended' && status !== 'cancelled'),
    (found) => found.length === 0,
  );
  if (left.length === 0) return `Maintenance ${id} is ${past}.`;
  return `Maintenance ${id} is being ${past}; not yet: ${left.map(waiting).join(', ')}.`;
}

const waiting = ({ node_id, status, waits_for }: PlannedNode) =>
  `node ${node_id} is ${status}${waits_for === null ? '' : ` and waits for ${waits_for}`}`;

import type { Sql } from '@sluice/service';
import { numbersOf, type AskedOf } from './arguments.ts';
import { alignedRows } from './table.ts';
import { untilDone } from './until-done.ts';
import { UsageError } from './usage.ts';

/** Work on machines of a region, in its supervisor's database. Here it is planned, ended or cancelled; the supervisor carries it out. */

interface Summary {
  id: number;
  starts_at: Date;
  minutes: number;
  reason: string | null;
  decision: 'end' | 'cancel' | null;
  finished_at: Date | null;
  /** how many nodes have which status */
  nodes: Record<string, number>;
}

interface PlannedNode {
  node_id: number;
  name: string | null;
  deployment_id: number;
  tenant_id: number;
  status: string;
  waits_for: string | null;
}

/** more in one call is no work on some machines */
const mostNodes = 500;

/** Does what is asked for. @throws UsageError when it cannot be done, saying why */
export async function ofMaintenance(sql: Sql, asked: AskedOf<'maintenance'>): Promise<string> {
  const { action, names, after, limit, json } = asked;
  if (action === 'plan') return await plan(sql, asked);
  if (action === 'list') {
    const found = await listMaintenances(sql, after, limit);
    if (json) return JSON.stringify(found, null, 2);
    return found.length === 0 ? 'There are none.' : alignedRows(found.map(rowOf));
  }
  const [id = 0] = numbersOf(names, 1);
  if (action !== 'show') return await decide(sql, id, action);
  const [summary] = await listMaintenances(sql, id - 1, 1);
  if (summary?.id !== id) throw new UsageError(`There is no maintenance ${id}.`);
  const nodes = await nodesOf(sql, id);
  if (json) return JSON.stringify({ ...summary, nodes }, null, 2);
  return [rowOf(summary).join('  ').trimEnd(), alignedRows(nodes.map(nodeRowOf))].join('\n');
}

function listMaintenances(sql: Sql, after: number, limit: number): Promise<Summary[]> {
  return sql.query<Summary>(
    `SELECT id, starts_at, minutes, reason, decision, finished_at, coalesce(
       (SELECT jsonb_object_agg(status, count) FROM (
          SELECT status, count(*) FROM maintenance_nodes WHERE maintenance_id = plan.id GROUP BY status) AS counted), '{}') AS nodes
     FROM maintenances AS plan WHERE id > $1 ORDER BY id LIMIT $2`,
    [after, limit],
  );
}

const nodesOf = (sql: Sql, id: number) =>
  sql.query<PlannedNode>(
    `SELECT planned.node_id, nodes.name, planned.deployment_id, (spec ->> 'tenant_id')::bigint AS tenant_id, planned.status, waits_for
     FROM maintenance_nodes AS planned JOIN deployments ON deployments.id = planned.deployment_id
     LEFT JOIN nodes ON nodes.id = planned.node_id
     WHERE maintenance_id = $1 ORDER BY planned.node_id`,
    [id],
  );

const rowOf = ({ id, starts_at, minutes, reason, nodes }: Summary) => [
  String(id),
  starts_at.toISOString(),
  `${minutes} min`,
  Object.entries(nodes)
    .map(([status, count]) => `${count} ${status === 'new' ? 'not announced' : status}`)
    .join(', ') || 'no nodes',
  reason ?? '',
];

const nodeRowOf = ({ node_id, name, deployment_id, tenant_id, status, waits_for }: PlannedNode) => [
  `tenant ${tenant_id}`,
  `deployment ${deployment_id}`,
  `node ${node_id} (${name ?? 'gone'})`,
  status,
  waits_for === null ? '' : `waits for ${waits_for}`,
];

async function plan(
  sql: Sql,
  { nodes: named, at, minutes, reason }: AskedOf<'maintenance'>,
): Promise<string> {
  const nodes = [...new Set(named)];
  if (nodes.length < 1 || nodes.length > mostNodes)
    throw new UsageError(`Say which: 1 to ${mostNodes} nodes, each as --node <id>.`);
  if (!at) throw new UsageError('Say when it begins: --at 2026-12-01T02:00:00Z, or --at now.');
  await sql.query('BEGIN');
  // a rejection closes the connection, and that ends the transaction
  await requirePlannable(sql, nodes);
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
  return planned.some(({ status }) => status === 'new')
    ? `Maintenance ${id} of ${of} is planned. The supervisor has not announced it to all yet; it does so when it runs.`
    : `Maintenance ${id} of ${of} is planned and announced.`;
}

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;

/** @throws UsageError for nodes that are not there, are planned for, or would stop two of a cluster */
async function requirePlannable(sql: Sql, nodes: readonly number[]): Promise<void> {
  const found = await sql.query<{ id: number; deployment_id: number; planned: number | null }>(
    `SELECT id, deployment_id,
       (SELECT maintenance_id FROM maintenance_nodes WHERE node_id = nodes.id AND finished_at IS NULL) AS planned
     FROM nodes WHERE id = ANY ($1) ORDER BY id`,
    [nodes],
  );
  const missing = nodes.filter((node) => !found.some(({ id }) => id === node));
  if (missing.length > 0) throw new UsageError(`This region has no node ${missing.join(', ')}.`);
  const twice = found.find(({ planned }) => planned !== null);
  if (twice)
    throw new UsageError(`Node ${twice.id} is in maintenance ${twice.planned}: end or cancel that before.`);
  for (const [index, { id, deployment_id }] of found.entries()) {
    const other = found.slice(0, index).find((one) => one.deployment_id === deployment_id);
    if (other)
      throw new UsageError(
        `Nodes ${other.id} and ${id} are of one cluster, deployment ${deployment_id}: plan one after the other.`,
      );
  }
}

/** Has a maintenance ended or cancelled, once. */
async function decide(sql: Sql, id: number, decision: 'end' | 'cancel'): Promise<string> {
  await sql.query('BEGIN');
  const [known] = await sql.query<Pick<Summary, 'decision' | 'finished_at'>>(
    'SELECT decision, finished_at FROM maintenances WHERE id = $1 FOR UPDATE',
    [id],
  );
  if (!known) throw new UsageError(`There is no maintenance ${id}.`);
  if (known.finished_at) return `Maintenance ${id} is over; nothing is changed.`;
  const nodes = await nodesOf(sql, id);
  const begun = nodes.filter(({ status }) => ['stopping', 'stopped', 'starting', 'ended'].includes(status));
  if (decision === 'cancel' && begun.length > 0)
    throw new UsageError(`Maintenance ${id} has begun for ${count(begun.length, 'node')}: end it.`);
  if (decision === 'end' && begun.length === 0)
    throw new UsageError(`Maintenance ${id} has not begun: cancel it.`);
  if (known.decision === null) {
    await sql.query('UPDATE maintenances SET decision = $2 WHERE id = $1', [id, decision]);
    await sql.query("SELECT pg_notify('maintenances', '')");
  }
  await sql.query('COMMIT');
  const left = await untilDone(
    async () => (await nodesOf(sql, id)).filter(({ status }) => status !== 'ended' && status !== 'cancelled'),
    (found) => found.length === 0,
  );
  const past = decision === 'end' ? 'ended' : 'cancelled';
  if (left.length === 0) return `Maintenance ${id} is ${past}.`;
  return `Maintenance ${id} is being ${past}; not yet:\n${alignedRows(left.map(nodeRowOf))}`;
}

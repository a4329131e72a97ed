import type { DeploymentId } from '@sluice/contracts';
import { sql, type Selectable, type Updateable } from 'kysely';
import { clock, countOf, isFound } from './queries.ts';
import type { Database, Tables } from './tables.ts';

/** Work on machines that operators plan with `sluice-admin`, which inserts it, and the nodes that are stopped for it. Times are the database's. */

export type MaintenanceNode = Selectable<Tables['maintenance_nodes']>;
export type MaintenanceKey = Pick<MaintenanceNode, 'maintenance_id' | 'deployment_id'>;

/** A node with its maintenance. */
export type Maintenance = MaintenanceNode &
  Pick<Selectable<Tables['maintenances']>, 'reason' | 'starts_at' | 'minutes' | 'decision'> & {
    /** whether it is time to begin, and whether it is too late for that */
    is_due: boolean;
    is_over: boolean;
  };

/** the statuses in which a node is, or may be, stopped */
const underWay = ['stopping', 'stopped', 'starting'] as const;

/** Nodes of which something is to be decided, at most `limit`, the longest unseen first (maintenance_nodes_open). */
export async function listDueMaintenances(db: Database, limit: number): Promise<MaintenanceKey[]> {
  const { rows } = await sql<MaintenanceKey>`
    SELECT node.maintenance_id, node.deployment_id
    FROM maintenance_nodes AS node JOIN maintenances AS plan ON plan.id = node.maintenance_id
    WHERE node.finished_at IS NULL AND (
      node.status IN ('new', 'stopping', 'starting') OR plan.decision IS NOT NULL
      OR node.status = 'planned' AND plan.starts_at <= clock_timestamp())
    ORDER BY node.looked_at NULLS FIRST LIMIT ${limit}`.execute(db);
  return rows;
}

/** A node, locked with what its operator has said until the transaction ends; undefined where it has ended. */
export async function lockMaintenance(
  db: Database,
  { maintenance_id, deployment_id }: MaintenanceKey,
): Promise<Maintenance | undefined> {
  // sluice-admin locks the plan to cancel it
  await sql`SELECT FROM maintenances WHERE id = ${maintenance_id} FOR SHARE`.execute(db);
  const { rows } = await sql<Maintenance>`
    SELECT node.*, plan.reason, plan.starts_at, plan.minutes, plan.decision,
      plan.starts_at <= clock_timestamp() AS is_due,
      plan.starts_at + make_interval(mins => plan.minutes) <= clock_timestamp() AS is_over
    FROM maintenance_nodes AS node JOIN maintenances AS plan ON plan.id = node.maintenance_id
    WHERE node.maintenance_id = ${maintenance_id} AND node.deployment_id = ${deployment_id} AND node.finished_at IS NULL
    FOR UPDATE OF node`.execute(db);
  return rows[0];
}

type Changes = Omit<Updateable<Tables['maintenance_nodes']>, 'looked_at' | 'finished_at'>;

/** Stores what has come of a look at a node; without changes only that there was one. */
export async function changeMaintenance(
  db: Database,
  { maintenance_id, deployment_id }: MaintenanceKey,
  changes: Changes,
): Promise<void> {
  const isFinal = changes.status === 'ended' || changes.status === 'cancelled';
  await db
    .updateTable('maintenance_nodes')
    .set({ ...changes, looked_at: clock, ...(isFinal && { finished_at: clock }) })
    .where('maintenance_id', '=', maintenance_id)
    .where('deployment_id', '=', deployment_id)
    .execute();
}

/** Whether a node of the deployment is stopped for work on its machine, or about to be or to start again. */
export const isUnderMaintenance = (db: Database, id: DeploymentId, besides?: number) =>
  isFound(
    db
      .selectFrom('maintenance_nodes')
      .select('node_id')
      .where('deployment_id', '=', id)
      .where('status', 'in', underWay)
      .$if(besides !== undefined, (query) => query.where('maintenance_id', '<>', besides ?? 0)),
  );

/** How many nodes are stopped, or about to be or to start again, after the time that their maintenance was expected to take. */
export const countOverdueMaintenances = (db: Database) =>
  countOf(
    db
      .selectFrom('maintenance_nodes as node')
      .innerJoin('maintenances as plan', 'plan.id', 'node.maintenance_id')
      .where('node.finished_at', 'is', null)
      .where('node.status', 'in', underWay)
      .where(sql<boolean>`plan.starts_at + make_interval(mins => plan.minutes) <= clock_timestamp()`),
  );

/** Notes the end of those of which no node is left. */
export const finishMaintenances = (db: Database) =>
  sql`
    UPDATE maintenances SET finished_at = clock_timestamp()
    WHERE finished_at IS NULL AND NOT EXISTS (
      SELECT FROM maintenance_nodes WHERE maintenance_id = maintenances.id AND finished_at IS NULL)`.execute(
    db,
  );

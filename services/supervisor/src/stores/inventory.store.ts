import { mostId, type HighestIds, type InventoriedDeployment } from '@sluice/contracts';
import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';
import { lacksLimits } from './deployments.store.ts';

/** deployments of a part whose shapes are asked for again since they lack limits */
const mostAskedFor = 50;

/** Takes the turn at the region's inventory, unless a replica has had it in the last `seconds`. @returns whether it did */
export async function beginInventory(db: Database, seconds: number): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO inventories (begun_at) VALUES (now())
    ON CONFLICT (one) DO UPDATE SET begun_at = excluded.begun_at
    WHERE inventories.begun_at <= now() - make_interval(secs => ${seconds})
    RETURNING 1`.execute(db);
  return rows.length > 0;
}

/**
 * The deployments with ids above `after`, in the order of their ids. One whose shape release 0.1.0 has stored is told without its
 * uid: that release left out of the shape what it did not know, so it has to come again. So does one that does not say what the plan
 * allows, some at a time: a main-api of the release before has nothing more to say.
 */
export async function listForInventory(
  db: Database,
  after: number,
  limit: number,
): Promise<InventoriedDeployment[]> {
  const { rows } = await sql<InventoriedDeployment & { uid: string | null }>`
    SELECT id, CASE WHEN shape ->> 'uid' IS NOT NULL AND NOT (${lacksLimits} AND
             count(*) FILTER (WHERE ${lacksLimits}) OVER (ORDER BY id) <= ${mostAskedFor}) THEN uid END AS uid,
           shape ->> 'code' AS code, generation, status, status_version,
           deleted_by IS NOT NULL AS deleting, unknown_since IS NOT NULL AS unknown,
           (SELECT count(*) FROM connector_instances WHERE deployment_id = deployments.id) AS connectors
    FROM deployments WHERE id > ${after} ORDER BY id LIMIT ${limit}`.execute(db);
  return rows.map(({ uid, ...row }) => ({ ...row, ...(uid !== null && { uid }) }));
}

/** The highest ids of main-api's making that the region knows of, tombstones included. */
export async function highestIds(db: Database): Promise<HighestIds> {
  const { rows } = await sql<HighestIds>`
    SELECT least(coalesce(max(tenant_id), 0), ${mostId}::bigint) AS tenants,
           least(coalesce(max(division_id), 0), ${mostId}::bigint) AS divisions,
           least(coalesce(max(environment_id), 0), ${mostId}::bigint) AS environments,
           least(greatest(
             max(id), (SELECT max(deployment_id) FROM removed_uids), (SELECT max(deployment_id) FROM removed_deployments), 0
           ), ${mostId}::bigint) AS deployments,
           least(coalesce((SELECT max(id) FROM nodes), 0), ${mostId}::bigint) AS deployment_nodes,
           least(greatest(
             (SELECT max(id) FROM connector_instances), (SELECT max(id) FROM removed_connector_instances), 0
           ), ${mostId}::bigint) AS connector_instances
    FROM deployments`.execute(db);
  const [highest] = rows;
  if (!highest) throw new Error('no row although it counts');
  return highest;
}

/** How many deployments there are that main-api does not know. */
export async function countUnknown(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('deployments')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('unknown_since', 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}

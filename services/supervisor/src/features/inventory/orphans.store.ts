import type { NodeId } from '@sluice/contracts';
import { sql } from 'kysely';
import type { FoundNode } from '@sluice/drivers';
import { countOf } from '@sluice/region-store/queries';
import type { Database } from '@sluice/region-store/tables';

/** Records which of the nodes that a driver has found no deployment has. @returns those of them that were not known as such */
export async function recordOrphans(db: Database, found: readonly FoundNode[]): Promise<NodeId[]> {
  // one replica at a time: two would wait for each other's rows
  await sql`SELECT pg_advisory_xact_lock(hashtext('orphaned nodes'))`.execute(db);
  const nodes = JSON.stringify(found.map(({ id, deploymentUid }) => ({ id, uid: deploymentUid })));
  await sql`
    DELETE FROM orphaned_nodes
    WHERE node_id NOT IN (SELECT id FROM jsonb_to_recordset(${nodes}::jsonb) AS found (id bigint))
      OR EXISTS (SELECT FROM nodes WHERE id = node_id)`.execute(db);
  const { rows } = await sql<{ node_id: NodeId }>`
    INSERT INTO orphaned_nodes (node_id, deployment_uid, found_at)
    SELECT id, uid, now() FROM jsonb_to_recordset(${nodes}::jsonb) AS found (id bigint, uid text)
    WHERE NOT EXISTS (SELECT FROM nodes WHERE nodes.id = found.id)
    ON CONFLICT (node_id) DO UPDATE SET deployment_uid = excluded.deployment_uid, found_at = now()
      WHERE orphaned_nodes.deployment_uid IS DISTINCT FROM excluded.deployment_uid
    RETURNING node_id`.execute(db);
  return rows.map(({ node_id }) => node_id);
}

/** Nodes that have been orphans for `seconds`, as far as is known. */
export async function listOldOrphans(db: Database, seconds: number): Promise<NodeId[]> {
  const rows = await db
    .selectFrom('orphaned_nodes')
    .select('node_id')
    .where('found_at', '<=', sql<Date>`now() - make_interval(secs => ${seconds})`)
    .orderBy('found_at')
    .limit(100)
    .execute();
  return rows.map(({ node_id }) => node_id);
}

/** Whether it is one still. After `lockNodes` no deployment comes to have the node until the transaction ends. */
export async function isOrphan(db: Database, id: NodeId): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM orphaned_nodes WHERE node_id = ${id} AND NOT EXISTS (SELECT FROM nodes WHERE nodes.id = node_id)`.execute(
    db,
  );
  return rows.length > 0;
}

export const forgetOrphan = (db: Database, id: NodeId) =>
  db.deleteFrom('orphaned_nodes').where('node_id', '=', id).execute();

export const countOrphans = (db: Database) => countOf(db.selectFrom('orphaned_nodes'));

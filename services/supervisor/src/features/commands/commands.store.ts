import type { Cause, DeploymentShape, DeploymentId } from '@sluice/contracts';
import { sql } from 'kysely';
import type { Database } from '../../database.ts';

/** Makes the commands of one deployment wait for each other until their transactions end. */
export async function takeTurn(db: Database, deploymentId: DeploymentId): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('command', ${deploymentId}))`.execute(db);
}

export async function isRemoved(db: Database, deploymentId: DeploymentId): Promise<boolean> {
  const row = await db
    .selectFrom('removed_deployments')
    .select('deployment_id')
    .where('deployment_id', '=', deploymentId)
    .executeTakeFirst();
  return row !== undefined;
}

/** From now on no command brings this deployment back. */
export async function noteRemoval(db: Database, deploymentId: DeploymentId, now: Date): Promise<void> {
  await db
    .insertInto('removed_deployments')
    .values({ deployment_id: deploymentId, requested_at: now, removed_at: null })
    .onConflict((conflict) => conflict.column('deployment_id').doNothing())
    .execute();
}

export async function noteRemoved(db: Database, deploymentId: DeploymentId, now: Date): Promise<void> {
  await db
    .updateTable('removed_deployments')
    .set({ removed_at: now })
    .where('deployment_id', '=', deploymentId)
    .where('removed_at', 'is', null)
    .execute();
}

export async function exists(db: Database, deploymentId: DeploymentId): Promise<boolean> {
  const row = await db
    .selectFrom('deployments')
    .select('id')
    .where('id', '=', deploymentId)
    .executeTakeFirst();
  return row !== undefined;
}

export interface NewDeployment {
  generation: number;
  shape: DeploymentShape;
  cause: Cause;
  credentials: { username: string; sealedPassword: string };
  now: Date;
}

export async function insertDeployment(
  db: Database,
  { generation, shape, cause, credentials, now }: NewDeployment,
): Promise<void> {
  await db
    .insertInto('deployments')
    .values({
      id: shape.id,
      generation,
      shape: JSON.stringify(shape),
      created_by: JSON.stringify(cause),
      username: credentials.username,
      sealed_password: credentials.sealedPassword,
      status: 'creating',
      status_changed_at: now,
    })
    .execute();
  await db.insertInto('reconciliations').values({ deployment_id: shape.id, due_at: now }).execute();
}

/** @returns whether the generation was newer than the stored one */
export async function updateShape(
  db: Database,
  generation: number,
  shape: DeploymentShape,
): Promise<boolean> {
  const result = await db
    .updateTable('deployments')
    .set({ generation, shape: JSON.stringify(shape) })
    .where('id', '=', shape.id)
    .where('generation', '<', generation)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Adds the nodes that are not there yet, after those that are, and renames the others. */
export async function upsertNodes(
  db: Database,
  deploymentId: DeploymentId,
  nodes: DeploymentShape['nodes'],
): Promise<void> {
  await sql`
    INSERT INTO nodes (id, deployment_id, name, position)
    SELECT wanted.id, ${deploymentId}, wanted.name,
           former.next + row_number() OVER (ORDER BY known.id IS NOT NULL, wanted.ordinality) - 1
    FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(nodes)}::jsonb) AS (id bigint, name text))
           WITH ORDINALITY AS wanted (id, name, ordinality)
    LEFT JOIN nodes AS known ON known.id = wanted.id
    CROSS JOIN (
      SELECT coalesce(max(position) + 1, 0) AS next FROM nodes WHERE deployment_id = ${deploymentId}
    ) AS former
    ON CONFLICT (id) DO UPDATE SET name = excluded.name
    WHERE nodes.deployment_id = excluded.deployment_id`.execute(db);
}

/** @returns false when it was to be deleted before */
export async function markForDeletion(
  db: Database,
  deploymentId: DeploymentId,
  cause: Cause,
): Promise<boolean> {
  const result = await db
    .updateTable('deployments')
    .set({ deleted_by: JSON.stringify(cause) })
    .where('id', '=', deploymentId)
    .where('deleted_by', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Has the reconciler look at the deployment even if the notification is lost. */
export async function makeDue(db: Database, deploymentId: DeploymentId, now: Date): Promise<void> {
  await db
    .updateTable('reconciliations')
    .set({ due_at: now })
    .where('deployment_id', '=', deploymentId)
    .execute();
}

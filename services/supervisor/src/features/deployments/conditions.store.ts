import type { DeploymentId } from '@sluice/contracts';
import { sql, type Insertable } from 'kysely';
import { countOf } from '@sluice/region-store/queries';
import type { Database, Tables } from '@sluice/region-store/tables';

/** What a deployment has reached, or has not: Kubernetes' meaning of the word. */
export type Condition = Omit<Insertable<Tables['deployment_conditions']>, 'deployment_id' | 'changed_at'>;

/** The condition that all data is there which the deployment's nodes have held. */
export const dataIntact = 'DataIntact';

/** The condition that a deployment has not been deleted by its deadline. */
export const deletionOverdue = 'DeletionOverdue';

/** How many deployments of the region have not been deleted by their deadline. */
export const countOverdueDeletions = (db: Database) =>
  countOf(
    db.selectFrom('deployment_conditions').where('type', '=', deletionOverdue).where('status', '=', 'True'),
  );

/** The condition that all nodes are at work. */
export const nodesRunning = 'NodesRunning';

/** The types of the deployment's conditions that are true. */
export async function listTrueConditions(db: Database, deploymentId: DeploymentId): Promise<string[]> {
  const rows = await db
    .selectFrom('deployment_conditions')
    .select('type')
    .where('deployment_id', '=', deploymentId)
    .where('status', '=', 'True')
    .execute();
  return rows.map(({ type }) => type);
}

/** Sets a condition. One that has this status already keeps its reason and time. @returns whether the status changed */
export async function setCondition(
  db: Database,
  deploymentId: DeploymentId,
  { type, status, reason, message }: Condition,
  now: Date,
): Promise<boolean> {
  const changed = await db
    .insertInto('deployment_conditions')
    .values({ deployment_id: deploymentId, type, status, reason, message, changed_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['deployment_id', 'type'])
        .doUpdateSet({ status, reason, message, changed_at: now })
        .where('deployment_conditions.status', '<>', status),
    )
    .returning('type')
    .executeTakeFirst();
  return changed !== undefined;
}

/** The deployment's conditions of these types. */
export const listConditions = (db: Database, deploymentId: DeploymentId, types: readonly string[]) =>
  db
    .selectFrom('deployment_conditions')
    .select(['type', 'status', 'reason', 'message'])
    .where('deployment_id', '=', deploymentId)
    .where('type', 'in', types)
    .execute();

/** Sets conditions whose reason and message follow what is seen; their time is that of the last change of the status. */
export async function recordConditions(
  db: Database,
  deploymentId: DeploymentId,
  conditions: readonly Condition[],
  now: Date,
): Promise<void> {
  await db
    .insertInto('deployment_conditions')
    .values(conditions.map((condition) => ({ ...condition, deployment_id: deploymentId, changed_at: now })))
    .onConflict((conflict) =>
      conflict.columns(['deployment_id', 'type']).doUpdateSet({
        status: sql`excluded.status`,
        reason: sql`excluded.reason`,
        message: sql`excluded.message`,
        changed_at: sql`CASE WHEN deployment_conditions.status = excluded.status
          THEN deployment_conditions.changed_at ELSE excluded.changed_at END`,
      }),
    )
    .execute();
}

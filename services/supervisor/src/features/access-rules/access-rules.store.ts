import { protocols, type Protocol, type AccessRuleId, type DeploymentId } from '@sluice/contracts';
import { sql, type Insertable, type Selectable } from 'kysely';
import { channels, notify, type Database, type Tables } from '../../database.ts';

export type AccessRule = Selectable<Tables['access_rules']>;

/** All rules of a deployment, newest first. */
export async function listRules(db: Database, deploymentId: DeploymentId): Promise<AccessRule[]> {
  return await db
    .selectFrom('access_rules')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export async function findRule(
  db: Database,
  deploymentId: DeploymentId,
  ruleId: AccessRuleId,
): Promise<AccessRule | undefined> {
  return await db
    .selectFrom('access_rules')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .where('id', '=', ruleId)
    .executeTakeFirst();
}

export async function countRules(db: Database, deploymentId: DeploymentId): Promise<number> {
  const { count } = await db
    .selectFrom('access_rules')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('deployment_id', '=', deploymentId)
    .executeTakeFirstOrThrow();
  return count;
}

/** @throws a unique violation of `access_rules_name` when the deployment has a rule of this name */
export async function insertRule(
  db: Database,
  rule: Insertable<Tables['access_rules']>,
): Promise<AccessRule> {
  return await db.insertInto('access_rules').values(rule).returningAll().executeTakeFirstOrThrow();
}

export async function deleteRule(
  db: Database,
  deploymentId: DeploymentId,
  ruleId: AccessRuleId,
): Promise<AccessRule | undefined> {
  return await db
    .deleteFrom('access_rules')
    .where('deployment_id', '=', deploymentId)
    .where('id', '=', ruleId)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Lets every address in, for every protocol: what a Free-tier managed deployment starts with (interface, 4.8 rule 3).
 * An agent is told of it with its first state, so the revision stays.
 */
export async function addDefaultRule(db: Database, deploymentId: DeploymentId, now: Date): Promise<void> {
  await db
    .insertInto('access_rules')
    .values({
      deployment_id: deploymentId,
      name: 'default',
      remarks: null,
      protocols: [...protocols] satisfies Protocol[],
      cidr_blocks: ['0.0.0.0/0'],
      valid_to: null,
      created_at: now,
    })
    .onConflict((conflict) => conflict.constraint('access_rules_name').doNothing())
    .execute();
}

/**
 * Raises the revision of what the deployment's agents are told, and tells them. The row stays locked until the
 * transaction ends, so changes of one deployment happen one after the other.
 */
export async function raiseRevision(db: Database, deploymentId: DeploymentId): Promise<number> {
  const { revision } = await db
    .updateTable('deployments')
    .set((row) => ({ revision: row('revision', '+', 1) }))
    .where('id', '=', deploymentId)
    .returning('revision')
    .executeTakeFirstOrThrow();
  await notify(db, channels.desired, deploymentId);
  return revision;
}

/**
 * How many nodes have not applied `revision` yet, of those that were heard from since `since` and those whose agents
 * have only just enrolled.
 */
export async function countBehind(
  db: Database,
  deploymentId: DeploymentId,
  revision: number,
  since: Date,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) FROM nodes
    WHERE deployment_id = ${deploymentId} AND applied_revision < ${revision} AND public_key IS NOT NULL
      AND (last_heartbeat_at >= ${since} OR last_heartbeat_at IS NULL)
  `.execute(db);
  return rows[0]?.count ?? 0;
}

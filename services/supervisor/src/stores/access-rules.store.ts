import { protocols, type AccessRuleId, type DeploymentId } from '@sluice/contracts';
import { problem } from '@sluice/service-kit';
import type { Insertable, Selectable } from 'kysely';
import type { Database, Tables } from '../database/tables.ts';

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

/** @throws Problem `not_found` */
export async function getRule(
  db: Database,
  deploymentId: DeploymentId,
  ruleId: AccessRuleId,
): Promise<AccessRule> {
  const rule = await db
    .selectFrom('access_rules')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .where('id', '=', ruleId)
    .executeTakeFirst();
  if (!rule) throw problem('not_found');
  return rule;
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

/** @returns the rule that was there. @throws Problem `not_found` */
export async function deleteRule(
  db: Database,
  deploymentId: DeploymentId,
  ruleId: AccessRuleId,
): Promise<AccessRule> {
  const rule = await db
    .deleteFrom('access_rules')
    .where('deployment_id', '=', deploymentId)
    .where('id', '=', ruleId)
    .returningAll()
    .executeTakeFirst();
  if (!rule) throw problem('not_found');
  return rule;
}

/**
 * Lets every address in, for every protocol: what a Free-tier managed deployment starts with (interface, 4.8 rule 3).
 * An agent is told of it with its first state, so the revision stays.
 */
export async function insertDefaultRule(db: Database, deploymentId: DeploymentId, now: Date): Promise<void> {
  await db
    .insertInto('access_rules')
    .values({
      deployment_id: deploymentId,
      name: 'default',
      remarks: null,
      protocols: [...protocols],
      cidr_blocks: ['0.0.0.0/0'],
      valid_to: null,
      created_at: now,
    })
    .onConflict((conflict) => conflict.constraint('access_rules_name').doNothing())
    .execute();
}

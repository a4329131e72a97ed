import { protocols, type Access, type AccessRuleId, type DeploymentId } from '@sluice/contracts';
import { problem } from '@sluice/service';
import { sql, type Insertable, type Selectable } from 'kysely';
import { countOf } from '../../database/queries.ts';
import type { Database, Tables } from '../../database/tables.ts';

export type AccessRule = Selectable<Tables['access_rules']>;

/** All rules of a deployment, newest first. */
export const listRules = (db: Database, deploymentId: DeploymentId) =>
  db
    .selectFrom('access_rules')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

/** @throws Problem `not_found` */
export const getRule = (db: Database, deploymentId: DeploymentId, ruleId: AccessRuleId) =>
  db
    .selectFrom('access_rules')
    .selectAll()
    .where((row) => row.and({ deployment_id: deploymentId, id: ruleId }))
    .executeTakeFirstOrThrow(() => problem('not_found'));

export const countRules = (db: Database, deploymentId: DeploymentId) =>
  countOf(db.selectFrom('access_rules').where('deployment_id', '=', deploymentId));

/** @throws a unique violation of `access_rules_name` when the deployment has a rule of this name */
export const insertRule = (db: Database, rule: Insertable<Tables['access_rules']>) =>
  db.insertInto('access_rules').values(rule).returningAll().executeTakeFirstOrThrow();

/** @returns the rule that was there. @throws Problem `not_found` */
export const deleteRule = (db: Database, deploymentId: DeploymentId, ruleId: AccessRuleId) =>
  db
    .deleteFrom('access_rules')
    .where((row) => row.and({ deployment_id: deploymentId, id: ruleId }))
    .returningAll()
    .executeTakeFirstOrThrow(() => problem('not_found'));

/**
 * Lets every address in, for every protocol: what a Free-tier managed deployment starts with (interface, 4.8 rule 3).
 * An agent receives it with its first state, so the revision stays.
 */
export const insertDefaultRule = (db: Database, deploymentId: DeploymentId, now: Date) =>
  db
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

/** Makes these the rules of a deployment, with their ids. Rules never change: those with the same id are alike. @returns how many changed */
export async function replaceRules(
  db: Database,
  deploymentId: DeploymentId,
  rules: Access['rules'],
): Promise<{ deleted: number; restored: number }> {
  const { numDeletedRows } = await db
    .deleteFrom('access_rules')
    .where('deployment_id', '=', deploymentId)
    .where(sql<boolean>`id <> ALL (${rules.map(({ id }) => id)}::bigint[])`)
    .executeTakeFirst();
  const { rows } = await sql`
    INSERT INTO access_rules (id, deployment_id, name, remarks, protocols, cidr_blocks, valid_to, created_at)
    OVERRIDING SYSTEM VALUE
    SELECT id, ${deploymentId}, name, remarks, protocols, cidr_blocks, valid_to, created_at
    FROM jsonb_to_recordset(${JSON.stringify(rules)}::jsonb) AS kept (id bigint, name text, remarks text, protocols text[],
      cidr_blocks text[], valid_to timestamptz, created_at timestamptz)
    ON CONFLICT (id) DO NOTHING RETURNING 1`.execute(db);
  return { deleted: Number(numDeletedRows), restored: rows.length };
}

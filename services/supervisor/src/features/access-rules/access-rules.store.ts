import { protocols, type Access, type AccessRuleId, type DeploymentId } from '@sluice/contracts';
import { problem } from '@sluice/service';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import { countOf } from '@sluice/region-store/queries';
import type { Database, Tables } from '@sluice/region-store/tables';

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

/** @throws a unique violation of `access_rules_name` when another rule of the deployment has this name */
export const updateRule = (db: Database, ruleId: AccessRuleId, changes: Updateable<Tables['access_rules']>) =>
  db
    .updateTable('access_rules')
    .set(changes)
    .where('id', '=', ruleId)
    .returningAll()
    .executeTakeFirstOrThrow();

export const deleteRule = (db: Database, ruleId: AccessRuleId) =>
  db.deleteFrom('access_rules').where('id', '=', ruleId).execute();

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

/**
 * Makes these the rules of a deployment, with their ids. Those that are others now are deleted before any is inserted, since names may have
 * moved from one rule to another. @returns how many are gone, and how many came back or became others
 */
export async function replaceRules(
  db: Database,
  deploymentId: DeploymentId,
  rules: Access['rules'],
): Promise<{ deleted: number; restored: number }> {
  const kept = sql`jsonb_to_recordset(${JSON.stringify(rules)}::jsonb) AS kept (id bigint, name text, remarks text,
    protocols text[], cidr_blocks text[], valid_to timestamptz, created_at timestamptz)`;
  const { rows: deleted } = await sql<{ id: AccessRuleId }>`
    DELETE FROM access_rules AS present
    WHERE deployment_id = ${deploymentId} AND NOT EXISTS (
      SELECT FROM ${kept}
      WHERE (kept.id, kept.name, kept.remarks, kept.protocols, kept.cidr_blocks, kept.valid_to) IS NOT DISTINCT FROM
            (present.id, present.name, present.remarks, present.protocols, present.cidr_blocks, present.valid_to))
    RETURNING id`.execute(db);
  const { rows: inserted } = await sql`
    INSERT INTO access_rules (id, deployment_id, name, remarks, protocols, cidr_blocks, valid_to, created_at)
    OVERRIDING SYSTEM VALUE
    SELECT id, ${deploymentId}, name, remarks, protocols, cidr_blocks, valid_to, created_at FROM ${kept}
    ON CONFLICT (id) DO NOTHING RETURNING 1`.execute(db);
  const gone = deleted.filter(({ id }) => !rules.some((rule) => rule.id === id));
  return { deleted: gone.length, restored: inserted.length };
}

import {
  openUpgradeStatuses,
  type CommandData,
  type DeploymentId,
  type UpgradeReport,
} from '@sluice/contracts';
import { sql, type Selectable } from 'kysely';
import { hasChanged, isFound } from './queries.ts';
import type { Database, Tables } from './tables.ts';

/** What deployments were asked to become, and how far that is. */

export type Upgrade = Selectable<Tables['deployment_upgrades']>;
export type UpgradeState = Upgrade['state'];

const open = [...openUpgradeStatuses, 'rolling_back'] as const;

/** characters of a reason in a report */
export const longestReason = 1_000;

/** The report of an upgrade; undefined before it has begun. */
export function reportOf({ upgrade_id, state, reason }: Upgrade): UpgradeReport | undefined {
  if (state === 'pending') return undefined;
  if (state === 'rolling_back') return { upgrade_id, state: 'in_progress', reason: null };
  return { upgrade_id, state, reason: reason && reason.slice(0, longestReason) };
}

/** @returns false when this upgrade was asked for before */
export async function insertUpgrade(
  db: Database,
  command: CommandData<'upgrade_deployment'> & { nodes_after?: number },
  now: Date,
): Promise<boolean> {
  const { deployment_id, upgrade_id, generation, tier, storage, tier_resources, cause } = command;
  const result = await db
    .insertInto('deployment_upgrades')
    .values({
      ...{ deployment_id, upgrade_id, generation, tier },
      nodes_after: command.nodes_after ?? null,
      storage: JSON.stringify(storage),
      resources: JSON.stringify(tier_resources),
      requested_by: JSON.stringify(cause),
      requested_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export const findUpgrade = (db: Database, deploymentId: DeploymentId, upgradeId: string) =>
  db
    .selectFrom('deployment_upgrades')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .where('upgrade_id', '=', upgradeId)
    .executeTakeFirst();

/** The one that has begun and not ended, or else the next that shall begin (deployment_upgrades_open). */
export const findOpenUpgrade = (db: Database, deploymentId: DeploymentId) =>
  db
    .selectFrom('deployment_upgrades')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .where('state', 'in', open)
    .orderBy(sql`state = 'pending'`)
    .orderBy('generation')
    .limit(1)
    .executeTakeFirst();

/** Whether a spec of this generation was made without knowing of an upgrade that has been asked for since. */
export const isOvertaken = (db: Database, deploymentId: DeploymentId, generation: number) =>
  isFound(
    db
      .selectFrom('deployment_upgrades')
      .select('upgrade_id')
      .where('deployment_id', '=', deploymentId)
      .where('generation', '>=', generation),
  );

export async function setUpgradeState(
  db: Database,
  { deployment_id, upgrade_id }: Upgrade,
  state: UpgradeState,
  reason: string | null,
): Promise<void> {
  await db
    .updateTable('deployment_upgrades')
    .set({ state, reason })
    .where('deployment_id', '=', deployment_id)
    .where('upgrade_id', '=', upgrade_id)
    .execute();
}

/** Has all nodes take the resources of their deployment. @returns whether one of them was to have others */
export const clearNodeUpgrades = (db: Database, deploymentId: DeploymentId) =>
  hasChanged(
    db
      .updateTable('nodes')
      .set({ upgrade_id: null })
      .where('deployment_id', '=', deploymentId)
      .where('upgrade_id', 'is not', null),
  );

/** The deployment is what the upgrade has made of it. */
export async function adoptUpgrade(db: Database, upgrade: Upgrade): Promise<void> {
  const { deployment_id, tier, storage, resources } = upgrade;
  const changes = JSON.stringify({ tier, storage });
  await sql`
    UPDATE deployments
    SET spec = spec || ${changes}::jsonb
          || jsonb_build_object('limits', (spec -> 'limits') || ${JSON.stringify(resources)}::jsonb)
    WHERE id = ${deployment_id}`.execute(db);
}

import type { DeploymentId } from '@sluice/contracts';
import type { Insertable, Selectable } from 'kysely';
import type { Database, Tables } from '../database/tables.ts';

/** What deployments have cost in their month; changed only under the lock of the deployment. */

export type Spending = Selectable<Tables['deployment_spending']>;

export async function findSpending(db: Database, deploymentId: DeploymentId): Promise<Spending | undefined> {
  return await db
    .selectFrom('deployment_spending')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .executeTakeFirst();
}

export async function storeSpending(
  db: Database,
  { deployment_id, ...changes }: Insertable<Tables['deployment_spending']>,
): Promise<void> {
  await db
    .insertInto('deployment_spending')
    .values({ deployment_id, ...changes })
    .onConflict((conflict) => conflict.column('deployment_id').doUpdateSet(changes))
    .execute();
}

/** Deployments whose limit is reached or to be lifted, longest overdue first (deployment_spending_due). */
export async function listDueSpending(db: Database, now: Date, limit: number): Promise<DeploymentId[]> {
  const rows = await db
    .selectFrom('deployment_spending')
    .select('deployment_id')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute();
  return rows.map(({ deployment_id }) => deployment_id);
}
